import { secretKnowledge } from '../knowledge/secrets.ts'
import { isPlaceholder } from './placeholder.ts'
import { looksRandom } from './randomness.ts'
import type { SecretSpan } from './span.ts'
import { isLoginPassword } from './value-classifier.ts'

const END_OF_AUTHORITY = /[\s/?#"'`<>\\]/g

const MAX_AUTHORITY = 1024

/** This machine, or a container next to it: credentials there are usually for development. */
const LOCAL =
  /^(?:localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal|[a-z][a-z0-9_-]*$|.*\.(?:local|localhost|test)$)/i

/** Every password in a URL (`scheme://user:password@host`), and every URL that is a password itself. */
export function findUrlCredentials(text: string, found: SecretSpan[]): void {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = at + 3
    END_OF_AUTHORITY.lastIndex = start
    const stop = END_OF_AUTHORITY.exec(text)?.index ?? text.length
    const authority = text.slice(start, Math.min(stop, start + MAX_AUTHORITY))
    const login = loginIn(authority, start)
    if (login !== undefined) found.push(login)
    else if (text.charAt(stop) === '/') findWebhook(text, authority, stop, found)
  }
  findOracleLogins(text, found)
}

function loginIn(authority: string, start: number): SecretSpan | undefined {
  const sign = authority.lastIndexOf('@')
  if (sign <= 0) return undefined
  const host = authority.slice(sign + 1).replace(/:\d*$/, '')
  const colon = authority.slice(0, sign).indexOf(':')
  const user = authority.slice(0, colon < 0 ? sign : colon)
  const password = colon < 0 ? '' : authority.slice(colon + 1, sign)
  if (password === '' || password === 'x-oauth-basic') {
    // The user of a Sentry URL is its public key.
    if (/sentry|ingest|glitchtip/.test(host) || isPlaceholder(user) || !looksRandom(user, 16)) return undefined
    return { start, end: start + user.length, kind: 'url-token' }
  }
  if (!isLoginPassword(user, password, LOCAL.test(host))) return undefined
  return { start: start + colon + 1, end: start + sign, kind: 'url-password' }
}

function findWebhook(text: string, host: string, path: number, found: SecretSpan[]): void {
  for (const row of secretKnowledge().webhooks) {
    if (!host.includes(row.host)) continue
    const pattern = new RegExp(row.pattern, 'y')
    pattern.lastIndex = path
    const match = pattern.exec(text)
    const secret = match?.[2] ?? match?.[1]
    if (match === null || secret === undefined || isPlaceholder(secret)) continue
    const start = path + match[0].lastIndexOf(secret)
    found.push({ start, end: start + secret.length, kind: row.kind })
    return
  }
}

const ORACLE = /[:@]([\w$#]{1,64})\/([^\s/@"']{1,128})@/y

function findOracleLogins(text: string, found: SecretSpan[]): void {
  for (let at = text.indexOf('jdbc:oracle:'); at >= 0; at = text.indexOf('jdbc:oracle:', at + 12)) {
    ORACLE.lastIndex = text.indexOf(':', at + 12)
    const match = ORACLE.lastIndex < at ? null : ORACLE.exec(text)
    const [whole = '', user = '', password = ''] = match ?? []
    if (match === null || !isLoginPassword(user, password, false)) continue
    const start = match.index + whole.length - 1 - password.length
    found.push({ start, end: start + password.length, kind: 'url-password' })
  }
}
