import type { IncomingMessage, ServerResponse } from 'node:http'

/** SECURITY: A16 nothing but our own files, no inline script, no frame around us: a page over ours could lend it clicks. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const HEADERS = new Map([
  ['Content-Security-Policy', CONTENT_SECURITY_POLICY],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Permissions-Policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  ['Cache-Control', 'no-store'], // the inbox's own files override it
])

/** Headers of every response, set before the request is handled: no route and no error can omit them. */
export function secureAnswer(_: IncomingMessage, answer: ServerResponse): void {
  answer.setHeaders(HEADERS)
}
