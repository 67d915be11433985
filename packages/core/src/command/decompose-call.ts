import type { FrozenCall } from '../call/call.ts'
import { decompose, decomposeArgv } from './decompose.ts'
import type { Decomposition } from './decomposition.ts'

/** The simple commands a call would run; null when it runs no command. */
export function decomposeCall(call: FrozenCall): Decomposition | null {
  const { argv, command } = call.descriptor
  if (argv !== undefined) return decomposeArgv(argv)
  return command === undefined ? null : decompose(command)
}
