import type { FrozenCall } from '../../call/call.ts'

/** What the rating of a tool looks at: a whole call, or one inside another. */
export type RatedCall = Pick<FrozenCall, 'tool' | 'args' | 'descriptor' | 'annotations' | 'source' | 'cwd'>
