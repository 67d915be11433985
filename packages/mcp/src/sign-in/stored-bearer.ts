import { asCountersignError, type Crypto } from '@countersign/core'
import { type Home, systemClock } from '@countersign/node'
import type { Bearer } from '../http/upstream/bearer-token.ts'
import { failed } from './error.ts'
import { isSafeAddress } from './safe-address.ts'
import { type KeptSignIn, openSignInPlace } from './sign-in-store.ts'
import { createKeptRenewal, isDue } from './stored-refresh.ts'

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
  const renewal = createKeptRenewal(place, now)
  let kept: KeptSignIn | null = null
  let mark: string | null = null
  let looked = Number.NEGATIVE_INFINITY
  let renewing: Promise<string | null> | null = null
  /** Until then nobody is asked for another. */
  let rest = Number.NEGATIVE_INFINITY
  /** The last one that was got, until the server took it. */
  let made: { readonly token: string; readonly at: number } | null = null
  /** Why the file that is there cannot be used. */
  let unusable: string | null = null
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
      unusable = null
      trouble = null
      rest = Number.NEGATIVE_INFINITY
    } catch (error) {
      kept = null
      mark = null
      unusable = asCountersignError(error, 'CS_MCP_SIGN_IN', 'the sign-in cannot be read').message
    }
  }

  function renew(old: string): Promise<string | null> {
    if (monotonic() < rest && !renewal.isOwed) return Promise.resolve(null)
    renewing ??= renewNow(old)
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

  async function renewNow(old: string): Promise<string | null> {
    const found = await renewal.instead(old)
    kept = found.kept
    mark = found.mark
    unusable = null
    if (kept === null || kept.accessToken === old) return null
    trouble = null
    made = { token: kept.accessToken, at: monotonic() }
    return kept.accessToken
  }

  async function findAnother(refused: string | null): Promise<string | null> {
    look()
    if (kept === null) return null
    if (kept.accessToken !== refused) return kept.accessToken
    if (kept.refreshToken === null && !renewal.isOwed) return null
    if (made?.token === refused && monotonic() - made.at < REST_MS) {
      trouble = 'the server refuses the sign-in although it was just renewed'
      rest = monotonic() + REST_MS
      made = null
      return null
    }
    return renew(refused)
  }

  function advice(): string {
    const how = `run \`${command}\``
    const wrong = unusable ?? trouble
    if (wrong !== null) return `${wrong}; or ${how}`
    const again = kept === null ? 'sign in first' : 'the sign-in is over; sign in first'
    return `${again}: ${how}; a server that wants a key gets it with \`--header\``
  }

  function tell(): void {
    if (said === advice()) return
    said = advice()
    say?.(said)
  }

  function lookAgain(): void {
    if (monotonic() - looked > LOOK_MS) look()
  }

  return {
    current() {
      lookAgain()
      if (unusable !== null) {
        tell()
        throw failed(advice())
      }
      if (kept === null) return null
      const { accessToken, refreshToken } = kept
      if (refreshToken === null || !isDue(kept, now())) return accessToken
      return renew(accessToken).then((renewed) => renewed ?? accessToken)
    },
    atHand() {
      lookAgain()
      if (unusable !== null) return undefined
      if (kept === null) return null
      return isDue(kept, now()) ? undefined : kept.accessToken
    },
    async another(refused) {
      const found = await findAnother(refused)
      if (found === null) tell()
      return found
    },
    taken(token) {
      if (made?.token === token) made = null
    },
    advice,
    narrow(wanted) {
      const what = wanted === null ? '' : `: the server wants \`${wanted}\``
      return `the sign-in does not reach so far (insufficient_scope${what}); run \`${command}\` again, with \`--scope\``
    },
  }
}
