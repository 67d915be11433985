import { CountersignError } from '@countersign/core'
import { type ControlAnswer, type ControlLine, controlService } from '@countersign/node'
import type { Io } from '../terminal/io.ts'
import { existingHome } from './existing-home.ts'

/** Asks the running service of the home; undefined when none runs. What it refuses is thrown. */
export async function askService(
  io: Io,
  line: ControlLine,
): Promise<Exclude<ControlAnswer, { readonly error: unknown }> | undefined> {
  const answer = await controlService(existingHome(io), line)
  if (answer !== undefined && 'error' in answer) throw new CountersignError('CS_SERVICE', answer.error.message)
  return answer
}

/** The error for commands that need a service. */
export function noService(then = 'start one with `countersign serve`'): CountersignError {
  return new CountersignError('CS_SERVICE', `no service runs on this home; ${then}`)
}
