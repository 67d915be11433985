import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { accountHome, type EnclosingCall, findEnclosingCall, openHome } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

/**
 * Refuses to decide from within a gated command, by ancestry, session and record, whatever the environment says. A
 * process that another program starts for the command (cron, a terminal multiplexer that was there before) is not
 * found: SECURITY.md names the limits.
 */
export function refuseInside(io: Io): void {
  const found = enclosingCall(io)
  if (found === null) return
  throw new CountersignError('CS_DENIED', `${reasonFor(found)}, which cannot approve itself; ${ADVICE[found.how]}`)
}

/** The gated call that this process runs in; null for a person's own process. */
export function enclosingCall(io: Pick<Io, 'env' | 'home' | 'cwd'>): EnclosingCall | null {
  const folder = io.home === undefined ? join(accountHome() ?? '/', '.countersign') : resolve(io.cwd, io.home)
  // A home that does not exist yet has run nothing, and is not created by looking.
  return findEnclosingCall(existsSync(folder) ? openHome(folder) : null, io.env)
}

const ELSEWHERE = 'use another terminal'
const ADVICE: Readonly<Record<EnclosingCall['how'], string>> = {
  variable: ELSEWHERE,
  ancestor: ELSEWHERE,
  session: ELSEWHERE,
  'left-behind': 'use a terminal that was open before the command started, or wait until it ends',
  namespace: 'use a terminal outside this container, or wait until the command ends',
}

function reasonFor({ call, how }: EnclosingCall): string {
  const name = `the gated call \`${safeText(call.slice(0, 64))}\``
  switch (how) {
    case 'left-behind':
      return `this process may have been started by ${name}`
    case 'namespace':
      return `can’t tell whether this process belongs to ${name}`
    default:
      return `running inside ${name}`
  }
}
