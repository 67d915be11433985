import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { type ControlAnswer, type ControlLine, controlService, type Home, openHome } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

/** The home, for commands that must not create it: a wrong `--home` is an error. */
export function existingHome(io: Io): Home {
  const given = io.home === undefined ? undefined : resolve(io.cwd, io.home)
  if (given !== undefined && !existsSync(given))
    throw new CountersignError('CS_HOME', `no folder \`${safeText(given)}\`; check \`--home\``)
  return openHome(given)
}

/** Sends a request to the service; undefined if it is not running. Throws if the service refuses. */
export async function askService(
  io: Io,
  line: ControlLine,
): Promise<Exclude<ControlAnswer, { readonly error: unknown }> | undefined> {
  const answer = await controlService(existingHome(io), line)
  if (answer !== undefined && 'error' in answer) throw new CountersignError('CS_SERVICE', answer.error.message)
  return answer
}

/** The error for commands that need a service. */
export function noService(then = 'start it with `countersign serve`'): CountersignError {
  return new CountersignError('CS_SERVICE', `the service is not running; ${then}`)
}
