import type { Context, MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { isSame } from '../is-same.ts'
import type { RefusedAttempts } from '../refused-attempts.ts'
import type { Workspaces } from '../workspaces.ts'
import { problem } from './guards.ts'
import type { SignedIn, SignIn } from './sign-in.ts'

/** What the routes find in their context. */
export interface DecidingEnv {
  readonly Variables: { readonly signedIn: SignedIn }
}

/** Who may come in, and who is known not to. */
export interface CredentialParts {
  readonly signIn: SignIn
  readonly cookie: string
  readonly attempts: RefusedAttempts
  readonly workspaces: Pick<Workspaces, 'hasSession'>
  /** The token of askers over TCP. */
  readonly askingToken: string | undefined
}

/**
 * Lets in who is signed in. SECURITY: A2 L8, the credentials of an asker get 403 on every route of this side, even
 * beside a good cookie, and the journal hears of it.
 */
export function requireSignIn(parts: CredentialParts): MiddlewareHandler<DecidingEnv> {
  return async (c, next) => {
    const refused = refuseAsker(c, parts)
    if (refused !== undefined) return refused
    const signedIn = parts.signIn.find(getCookie(c, parts.cookie))
    if (signedIn === undefined)
      return problem(c, 401, 'CS_SIGN_IN', 'nobody is signed in here; run `countersign inbox` and open its link')
    c.set('signedIn', signedIn)
    return next()
  }
}

/** The same refusal for the one route that needs no sign-in yet. */
export function refuseAsker(c: Context, { attempts, workspaces, askingToken, cookie }: CredentialParts) {
  const bearer = /^bearer +(\S{1,512})$/i.exec(c.req.header('authorization') ?? '')?.[1]
  const shown = [bearer, getCookie(c, cookie)].filter((one) => one !== undefined)
  const isAsker = shown.some(
    (one) => workspaces.hasSession(one) || (askingToken !== undefined && isSame(one, askingToken)),
  )
  if (!isAsker) return undefined
  attempts.record('http', `an asker tried \`${c.req.method} ${c.req.path.slice(0, 200)}\``)
  return problem(c, 403, 'CS_ASKER', 'whoever asks cannot decide; this attempt is recorded')
}
