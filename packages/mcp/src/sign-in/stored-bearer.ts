import { asCountersignError, CountersignError, type Crypto } from '@countersign/core'
import { type Home, systemClock, systemCode } from '@countersign/node'
import type { Bearer } from '../http/upstream/authorized-request.ts'
import { isSecureUrl, signInError } from './safe-url.ts'
import { openSignInStore, type SignInStore, type StoredSignIn } from './sign-in-store.ts'

/** The options of a stored bearer. */
interface BearerOptions {
  readonly home: Home
  readonly crypto: Pick<Crypto, 'sha256' | 'seal' | 'unseal'>
  /** The server. */
  readonly url: URL
  /** The sign-in command, for the person. */
  readonly command: string
  /** Called when a refusal needs the person, once per reason. */
  say?(advice: string): void
}

/** How long the file is not checked again; a refusal checks at once. */
const CHECK_MS = 1_000
/** The pause before another renewal, after a failure or for a token that was refused right after it was issued. */
const PAUSE_MS = 10_000

/** The stored sign-in of one server, renewed as it expires; null for a URL that no token may be sent to. */
export function openStoredBearer({ home, crypto, url: given, command, say }: BearerOptions): Bearer | null {
  const url = new URL(given)
  url.hash = ''
  if (!isSecureUrl(url)) return null
  const store = openSignInStore(home, url, crypto)
  const { now, monotonic } = systemClock
  const renewal = createRenewal(store, now)
  let kept: StoredSignIn | null = null
  let version: string | null = null
  let checkedAt = Number.NEGATIVE_INFINITY
  let renewing: Promise<string | null> | null = null
  /** No renewal is tried until then. */
  let rest = Number.NEGATIVE_INFINITY
  /** The last renewed token, until the server accepted it. */
  let made: { readonly token: string; readonly at: number } | null = null
  /** Why the file cannot be used. */
  let unusable: string | null = null
  let trouble: string | null = null
  let said: string | null = null

  /** Another process may have renewed it, or a person signed in or out. */
  function checkFile(): void {
    checkedAt = monotonic()
    try {
      const current = store.version()
      if (current === version) return
      kept = store.read()
      version = current
      unusable = null
      trouble = null
      rest = Number.NEGATIVE_INFINITY
    } catch (error) {
      kept = null
      version = null
      unusable = asCountersignError(error, 'CS_MCP_SIGN_IN', 'the sign-in cannot be read').message
    }
  }

  function renew(old: string): Promise<string | null> {
    if (monotonic() < rest && !renewal.isUnsaved) return Promise.resolve(null)
    renewing ??= renewNow(old)
      .catch((error: unknown) => {
        trouble = asCountersignError(error, 'CS_MCP_SIGN_IN', 'the sign-in could not be renewed').message
        rest = monotonic() + PAUSE_MS
        return null
      })
      .finally(() => {
        renewing = null
      })
    return renewing
  }

  async function renewNow(old: string): Promise<string | null> {
    const found = await renewal.replace(old)
    kept = found.kept
    version = found.version
    unusable = null
    if (kept === null || kept.accessToken === old) return null
    trouble = null
    made = { token: kept.accessToken, at: monotonic() }
    return kept.accessToken
  }

  async function findAnother(refused: string | null): Promise<string | null> {
    checkFile()
    if (kept === null) return null
    if (kept.accessToken !== refused) return kept.accessToken
    if (kept.refreshToken === null && !renewal.isUnsaved) return null
    if (made?.token === refused && monotonic() - made.at < PAUSE_MS) {
      trouble = 'the server refuses the sign-in although it was just renewed'
      rest = monotonic() + PAUSE_MS
      made = null
      return null
    }
    return renew(refused)
  }

  function advice(): string {
    const how = `run \`${command}\``
    const wrong = unusable ?? trouble
    if (wrong !== null) return `${wrong}; or ${how}`
    const again = kept === null ? 'sign in first' : 'the sign-in expired; sign in first'
    return `${again}: ${how}; if the server requires a key, pass it with \`--header\``
  }

  function tell(): void {
    if (said === advice()) return
    said = advice()
    say?.(said)
  }

  function checkFileIfDue(): void {
    if (monotonic() - checkedAt > CHECK_MS) checkFile()
  }

  return {
    current() {
      checkFileIfDue()
      if (unusable !== null) {
        tell()
        throw signInError(advice())
      }
      if (kept === null) return null
      const { accessToken, refreshToken } = kept
      if (refreshToken === null || !isDue(kept, now())) return accessToken
      return renew(accessToken).then((renewed) => renewed ?? accessToken)
    },
    cached() {
      checkFileIfDue()
      if (unusable !== null) return undefined
      if (kept === null) return null
      return isDue(kept, now()) ? undefined : kept.accessToken
    },
    async replacement(refused) {
      const found = await findAnother(refused)
      if (found === null) tell()
      return found
    },
    accepted(token) {
      if (made?.token === token) made = null
    },
    advice,
    scopeAdvice(wanted) {
      const what = wanted === null ? '' : `: the server requires \`${wanted}\``
      return `the sign-in has an insufficient scope (insufficient_scope${what}); run \`${command}\` again, with \`--scope\``
    },
  }
}

/** The stored sign-in and its version. */
interface Found {
  readonly kept: StoredSignIn | null
  readonly version: string
}

/** Renews one sign-in. */
interface Renewal {
  /** Whether a renewed token is not on disk yet; then only writing is retried. */
  readonly isUnsaved: boolean
  /** The sign-in that replaces this token: renewed by another process, or now. Throws when neither. */
  replace(old: string): Promise<Found>
}

/** Whether a renewal is due. */
function isDue({ renewAt }: StoredSignIn, now: number): boolean {
  return renewAt !== null && now > renewAt
}

function createRenewal(store: SignInStore, now: () => number): Renewal {
  let unsaved: { readonly old: string; readonly next: StoredSignIn } | null = null

  /** INVARIANT: on disk before it is used: the previous one may already be invalid. */
  function keep(next: StoredSignIn): Found {
    try {
      store.write(next)
    } catch (error) {
      if (error instanceof CountersignError) throw error
      throw signInError(
        `the renewed sign-in cannot be stored (${systemCode(error) ?? 'unknown'}); free some disk space`,
      )
    }
    unsaved = null
    return { kept: next, version: store.version() }
  }

  return {
    get isUnsaved() {
      return unsaved !== null
    },
    /**
     * INVARIANT: one at a time across processes: many authorization servers treat two uses of a refresh token as theft.
     */
    replace: (old) =>
      store.withLock(async () => {
        const version = store.version()
        const kept = store.read()
        if (kept?.accessToken !== unsaved?.old) unsaved = null // a person signed in or out, or another process was faster
        if (unsaved !== null) return keep(unsaved.next)
        if (kept === null || (kept.accessToken !== old && !isDue(kept, now()))) return { kept, version }
        const got = await (await loadOAuth()).renewSignIn(kept, now())
        unsaved = { old: kept.accessToken, next: got === 'over' ? { ...kept, refreshToken: null } : got }
        return keep(unsaved.next)
      }),
  }
}

/** Loads the OAuth client. Lazy, because a proxy starts without it. */
export function loadOAuth(): Promise<typeof import('./oauth.ts')> {
  return import('./oauth.ts')
}
