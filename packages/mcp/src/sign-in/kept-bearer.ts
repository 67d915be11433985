import { asCountersignError, type Crypto } from '@countersign/core'
import { type Home, systemClock } from '@countersign/node'
import type { Bearer } from './bearer.ts'
import { type KeptSignIn, openSignInPlace } from './kept-sign-in.ts'
import { loadOAuth } from './load-oauth.ts'
import { isSafeAddress } from './safe-address.ts'

/** Whose sign-in is used, and how people are told of it. */
export interface BearerOptions {
  readonly home: Home
  readonly crypto: Pick<Crypto, 'sha256' | 'seal' | 'unseal'>
  /** The server. */
  readonly url: URL
  /** The command that signs in to it, as a person types it. */
  readonly command: string
  /** Told when a refusal cannot be helped, once for each reason. */
  say?(advice: string): void
}

/** How old what was read of the file may be; a refusal looks again at once. */
const LOOK_MS = 1_000
/** After a failure, and for a token that was refused as soon as it was made, nobody is asked again for so long. */
const REST_MS = 10_000

/** The kept sign-in of one server, renewed as it runs out; null for an address that no token may be sent to. */
export function openKeptBearer({ home, crypto, url: given, command, say }: BearerOptions): Bearer | null {
  const url = new URL(given)
  url.hash = ''
  if (!isSafeAddress(url)) return null
  const place = openSignInPlace(home, url, crypto)
  const { now, monotonic } = systemClock
  let kept: KeptSignIn | null = null
  let mark: string | null = null
  let looked = Number.NEGATIVE_INFINITY
  let renewing: Promise<string | null> | null = null
  /** Until then nobody is asked for another. */
  let rest = Number.NEGATIVE_INFINITY
  let made: string | null = null
  let trouble: string | null = null
  let said: string | null = null

  /** Another process may have renewed it, or a person signed in or out. */
  function look(): void {
    looked = monotonic()
    try {
      const current = place.mark()
      if (current === mark) return
      kept = place.read()
      mark = current
      trouble = null
      rest = Number.NEGATIVE_INFINITY
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown): void {
    kept = null
    mark = null
    trouble = asCountersignError(error, 'CS_MCP_SIGN_IN', 'the sign-in cannot be read').message
  }

  function isDue({ renewAt }: KeptSignIn): boolean {
    return renewAt !== null && now() > renewAt
  }

  /** INVARIANT: one at a time, here and in every other process: many who give tokens take two uses of one for a theft. */
  function renew(old: string): Promise<string | null> {
    if (monotonic() < rest) return Promise.resolve(null)
    renewing ??= place
      .alone(() => renewAlone(old))
      .catch((error: unknown) => {
        trouble = asCountersignError(error, 'CS_MCP_SIGN_IN', 'the sign-in could not be renewed').message
        rest = monotonic() + REST_MS
        return null
      })
      .finally(() => {
        renewing = null
      })
    return renewing
  }

  async function renewAlone(old: string): Promise<string | null> {
    mark = place.mark()
    const found = place.read()
    kept = found
    if (found === null) return null
    if (found.accessToken !== old && !isDue(found)) return found.accessToken // somebody else was faster
    const next = await (await loadOAuth()).renewSignIn(found, now())
    // INVARIANT: on disk before it is used: the one before it may be worth nothing from now on.
    kept = next === 'over' ? { ...found, refreshToken: null } : next
    place.write(kept)
    mark = place.mark()
    if (next === 'over') return null
    trouble = null
    made = next.accessToken
    return made
  }

  async function findAnother(refused: string | null): Promise<string | null> {
    look()
    if (kept === null) return null
    if (kept.accessToken !== refused) return kept.accessToken
    if (kept.refreshToken === null) return null
    if (refused === made) {
      trouble = 'the server refuses the sign-in although it was just renewed'
      rest = monotonic() + REST_MS
      made = null
      return null
    }
    return renew(refused)
  }

  function advice(): string {
    const how = `run \`${command}\``
    if (trouble !== null) return `${trouble}; or ${how}`
    const again = kept === null ? 'sign in first' : 'the sign-in is over; sign in first'
    return `${again}: ${how}; a server that wants a key gets it with \`--header\``
  }

  return {
    current() {
      if (monotonic() - looked > LOOK_MS) look()
      if (kept === null) return null
      const { accessToken, refreshToken } = kept
      if (refreshToken === null || !isDue(kept)) return accessToken
      return renew(accessToken).then((renewed) => renewed ?? accessToken)
    },
    async another(refused) {
      const found = await findAnother(refused)
      if (found === null && said !== advice()) {
        said = advice()
        say?.(said)
      }
      return found
    },
    advice,
    narrow: () => `the sign-in does not reach so far (insufficient_scope): run \`${command}\` again, with \`--scope\``,
  }
}
