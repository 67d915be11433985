import type { FrozenCall } from '../call/call.ts'
import { decompose, decomposeArgv } from './decompose.ts'
import type { CommandPart, Decomposition } from './model/decomposition.ts'
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
  const placed = (part: CommandPart): CommandPart => ({ ...part, cwd: startedIn(cwd, part.cwd) })
  const { exact, parts } = found
  return {
    ...found,
    parts: parts.map(placed),
    ...(exact == null ? {} : { exact: { ...exact, parts: exact.parts.map(placed) } }),
  }
}
