import type { FrozenCall } from '../../call/call.ts'

/** Said where the picture rests on a guess at what an unknown tool does with its arguments. */
export function guessNotes({ descriptor }: FrozenCall): readonly string[] {
  return descriptor.source === 'guessed' || descriptor.source === 'nobody'
    ? ['this is a guess at what the tool does with these arguments']
    : []
}
