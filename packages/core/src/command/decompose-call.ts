import type { FrozenCall } from '../call/call.ts'
import { decompose, decomposeArgv } from './decompose.ts'
import type { Decomposition } from './model/decomposition.ts'
import { startedIn } from './part-folder.ts'

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
