import type { SharedRows } from '@countersign/core'
import { type Home, type OpenedGate, openAskingToken, writeAskingToken } from '@countersign/node'
import { openSignIn, type SignIn } from './browser-sessions.ts'
import { memoryRows } from './memory-rows.ts'
import { openSharedSecret } from './shared-secret.ts'
import { openSharedSignIn } from './shared-sign-in.ts'

/** What lets people and askers in. */
export interface Credentials {
  readonly rows: SharedRows
  readonly signIn: SignIn
  /** The token of askers over TCP; undefined when nobody can ask there. */
  readonly askingToken: (() => string) | undefined
  close(): void
}

/** How soon a service hears that a machine was removed, and what the services share was made again. */
const REFRESH_MS = 5_000

/** Opens sign-ins, and the token of askers where they come over TCP: of this home, or of all services on a store that machines share. */
export async function openCredentials(
  home: Home,
  isAsking: boolean,
  { shared, clock }: OpenedGate['ports'],
): Promise<Credentials> {
  const { now } = clock
  if (shared === undefined) {
    const own = isAsking ? openAskingToken(home).token : undefined
    const askingToken = own === undefined ? undefined : () => own
    return { rows: memoryRows(now), signIn: openSignIn(home, now), askingToken, close() {} }
  }
  const secret = await openSharedSecret(shared)
  const tokenNow = (): string => secret.derive('countersign/asking-token/v1')
  let written = ''
  const write = (): void => {
    if (!isAsking || written === tokenNow()) return
    written = tokenNow()
    writeAskingToken(home, written)
  }
  write()
  const refreshing = setInterval(() => {
    secret
      .refresh()
      .then(write)
      .catch(() => {}) // the next time
  }, REFRESH_MS).unref()
  return {
    rows: shared,
    signIn: openSharedSignIn(shared, secret, now),
    askingToken: isAsking ? tokenNow : undefined,
    close: () => clearInterval(refreshing),
  }
}

/**
 * The name of the cookie: with the port, since cookies do not know ports. Behind one URL, all services on a store know the
 * same one.
 */
export function cookieName(port: number, publicUrl: URL | undefined, shared: SharedRows | undefined): string {
  if (shared === undefined || publicUrl === undefined) return `countersign-${port}`
  return `countersign-${publicUrl.port === '' ? '443' : publicUrl.port}`
}
