import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { RefusedAttempts } from '../../gates/refused-attempts.ts'
import type { Workspaces } from '../../gates/workspace-gates.ts'
import { isSame } from '../../wire/constant-time-equal.ts'
import { problem } from '../http/request-guards.ts'
import type { SignedIn, SignIn } from './browser-sessions.ts'

/** What the routes find in their context. */
export interface DecidingEnv {
  readonly Variables: { readonly signedIn: SignedIn }
  readonly Bindings: HttpBindings
}

/** Who may come in, and who is known not to. */
export interface CredentialParts {
  readonly signIn: SignIn
  readonly cookie: string
  readonly attempts: RefusedAttempts
  readonly workspaces: Pick<Workspaces, 'hasSession'>
  /** The token of askers over TCP: another one when a machine was removed. */
  readonly askingToken: (() => string) | undefined
}

/** INVARIANT: L10, so many cookies of our name are looked up. */
const MOST_COOKIES = 8

/**
 * Lets in who is signed in. A page of an agent on another port can set a cookie of this name, so that two may come: the
 * one that was given out counts. Without one, an asker's is an attempt like any other.
 */
export function requireSignIn(parts: CredentialParts): MiddlewareHandler<DecidingEnv> {
  return async (c, next) => {
    const shown = cookiesOf(c, parts.cookie)
    const found = await Promise.all(shown.slice(0, MOST_COOKIES).map((one) => parts.signIn.find(one)))
    const signedIn = found.find((one) => one !== undefined)
    if (signedIn !== undefined) {
      c.set('signedIn', signedIn)
      return next()
    }
    if (shown.some((one) => isAskers(one, parts))) return refuse(c, parts)
    return problem(c, 401, 'CS_SIGN_IN', 'not signed in; run `countersign inbox` and open its link')
  }
}

/**
 * Turns askers away before any route. SECURITY: A2 L8, the credentials of an asker get 403 everywhere on this side, even
 * beside a good cookie, and the journal hears of it. Signing in replaces whatever cookie there is, so none counts here.
 */
export function refuseAskers(parts: CredentialParts): MiddlewareHandler {
  return async (c, next) => {
    const bearer = /^bearer +(\S{1,512})$/i.exec(c.req.header('authorization') ?? '')?.[1]
    return bearer !== undefined && isAskers(bearer, parts) ? refuse(c, parts) : next()
  }
}

function isAskers(shown: string, { workspaces, askingToken }: CredentialParts): boolean {
  return workspaces.hasSession(shown) || (askingToken !== undefined && isSame(shown, askingToken()))
}

function refuse(c: Context, { attempts }: CredentialParts): Response {
  attempts.record('http', `an asker tried \`${c.req.method} ${c.req.path.slice(0, 200)}\``)
  return problem(
    c,
    403,
    'CS_ASKER',
    'an agent cannot decide, and this attempt is recorded; people sign in with `countersign inbox`',
  )
}

/** Every value that came under a name, in the order they came. */
function cookiesOf(c: Context, name: string): readonly string[] {
  return (c.req.header('cookie') ?? '').split(';').flatMap((pair) => {
    const [key, value] = pair.trim().split('=', 2)
    return key === name && value !== undefined ? [value] : []
  })
}
