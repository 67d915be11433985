import type { FrozenCall } from '../call/call.ts'
import { decompose, decomposeArgv } from './decompose.ts'
import type { Decomposition } from './model/decomposition.ts'

/** The simple commands a call would run, in the folder an argument names if one does; null when it runs no command. */
export function decomposeCall(
  call: Pick<FrozenCall, 'descriptor'>,
  takeApart: (command: string) => Decomposition = decompose,
): Decomposition | null {
  const { argv, command, cwd } = call.descriptor
  if (argv === undefined && command === undefined) return null
  const found = argv === undefined ? takeApart(command ?? '') : decomposeArgv(argv)
  if (cwd === undefined || cwd === '') return found
  return { ...found, parts: found.parts.map((part) => ({ ...part, cwd: startedIn(cwd, part.cwd) })) }
}

/** Where a part runs when the whole command starts in `folder`: its own absolute or home folder stays. */
function startedIn(folder: string, own: string | null): string | null {
  if (own === null || own.startsWith('/') || own.startsWith('~')) return own
  return own === '' ? folder : `${folder}/${own}`
}
