import { deleteCookie, setCookie } from 'hono/cookie'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { Done, SignInTicket } from '../api/schemas.ts'

/**
 * Cookies do not know ports. With this path another server of the same host does not get ours by the way, into its log;
 * one that asks its own page for this path still does, and then has what a sign-in is worth: it may look. SECURITY: A18
 */
const COOKIE_PATH = '/api/v1'

/** A ticket from the terminal for a cookie: the one route that needs no sign-in. */
export function addSignInRoute(app: DecidingApp, parts: DecidingParts): void {
  const { signIn, cookie, publicUrl, now } = parts
  defineRoute(
    app,
    {
      method: 'post',
      path: '/sign-in',
      summary: 'Exchange the one-time ticket of `countersign inbox` for a cookie',
      body: SignInTicket,
      answer: Done,
      isOpen: true,
    },
    async (c, { body }) => {
      const { token, session } = await signIn.enter(body.ticket)
      setCookie(c, cookie, token, {
        httpOnly: true,
        sameSite: 'Strict',
        path: COOKIE_PATH,
        maxAge: Math.floor((session.expiresAt - now()) / 1000),
        secure: publicUrl?.protocol === 'https:' && c.req.header('origin') === publicUrl.origin,
      })
      return c.json({ done: true })
    },
  )
}

/** The way out again. */
export function addSignOutRoute(app: DecidingApp, { signIn, cookie }: DecidingParts): void {
  defineRoute(
    app,
    { method: 'delete', path: '/sign-in', summary: 'Sign this browser out', answer: Done },
    async (c) => {
      await signIn.leave(c.get('signedIn').id)
      deleteCookie(c, cookie, { path: COOKIE_PATH })
      return c.json({ done: true })
    },
  )
}
