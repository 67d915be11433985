import type { FrozenCall } from '../../call/call.ts'
import type { Preview } from '../model/preview.ts'

/** The arguments as they are, for every call that has no better picture. */
export function jsonPreview(call: FrozenCall, notes: readonly string[] = []): Preview {
  return notes.length === 0 ? { kind: 'json', value: call.args } : { kind: 'json', value: call.args, notes }
}
