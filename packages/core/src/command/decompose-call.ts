import type { FrozenCall } from '../call/call.ts'
import { decompose, decomposeArgv } from './decompose.ts'
import type { Decomposition } from './model/decomposition.ts'

/** The simple commands of a call, in the folder that an argument may name; null for a call without a command. */
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

/** The folder of a part when the command starts in `folder`; an absolute or home folder stays. */
function startedIn(folder: string, own: string | null): string | null {
  if (own === null || own.startsWith('/') || own.startsWith('~')) return own
  return own === '' ? folder : `${folder}/${own}`
}
