import { deleteCookie, setCookie } from 'hono/cookie'
import { refuseAsker } from '../credentials.ts'
import { type DecidingApp, defineRoute } from '../define-route.ts'
import type { DecidingParts } from '../parts.ts'
import { Done, SignInTicket } from '../schemas.ts'

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
    },
    (c, { body }) => {
      const refused = refuseAsker(c, parts)
      if (refused !== undefined) return refused
      const { token, session } = signIn.enter(body.ticket)
      setCookie(c, cookie, token, {
        httpOnly: true,
        sameSite: 'Strict',
        path: '/',
        maxAge: Math.floor((session.expiresAt - now()) / 1000),
        secure: publicUrl?.protocol === 'https:' && c.req.header('host') === publicUrl.host,
      })
      return c.json({ done: true })
    },
  )
}

/** The way out again. */
export function addSignOutRoute(app: DecidingApp, { signIn, cookie }: DecidingParts): void {
  defineRoute(app, { method: 'delete', path: '/sign-in', summary: 'Sign this browser out', answer: Done }, (c) => {
    signIn.leave(c.get('signedIn').id)
    deleteCookie(c, cookie, { path: '/' })
    return c.json({ done: true })
  })
}
