import { CountersignError, safeText } from '@countersign/core'
import { type OAuthClientInformationMixed, OAuthError, type OAuthTokens } from '@modelcontextprotocol/client'
import { failed } from './error.ts'
import type { KeptSignIn, TokenClient, TokenGiver } from './sign-in-store.ts'

/** What a header may hold. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/
/** L10: what is taken in fits into the file, and can be read again. */
const MAX_REFRESH = 65_536
export const MAX_SCOPE = 8_192
/** A token is renewed so long before it is over, since it has a way to go; a short one after most of its life. */
const EARLY_MS = 30_000
const LATE = 0.9
const LONGEST_S = 10 * 365 * 24 * 3600

/** The tokens of an answer, in the form in which they are kept. */
export function tokensIn(
  answer: OAuthTokens,
  now: number,
): Pick<KeptSignIn, 'accessToken' | 'refreshToken' | 'expiresAt' | 'renewAt'> {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type, expires_in: seconds } = answer
  if (type.toLowerCase() !== 'bearer')
    throw failed('the server gives tokens of a kind that the proxy does not have; it needs `Bearer`')
  if (!TOKEN.test(accessToken)) throw failed('the server gave a token that no header can hold; tell its owner')
  if ((refreshToken?.length ?? 0) > MAX_REFRESH || (answer.scope?.length ?? 0) > MAX_SCOPE)
    throw failed('the server gave a token, or a scope, that is larger than what can be kept; tell its owner')
  const isTimed = seconds !== undefined && Number.isFinite(seconds) && seconds > 0
  const lifeMs = isTimed ? Math.min(seconds, LONGEST_S) * 1000 : null
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    expiresAt: lifeMs === null ? null : now + lifeMs,
    renewAt: lifeMs === null ? null : now + Math.max(lifeMs - EARLY_MS, lifeMs * LATE),
  }
}

/** A client as the protocol spells it. */
export function spelledClient({ id, secret, method }: TokenClient): OAuthClientInformationMixed {
  return {
    client_id: id,
    ...(secret === null ? {} : { client_secret: secret }),
    ...(method === null ? {} : { token_endpoint_auth_method: method }),
  }
}

/** The metadata of who gives tokens, as far as it is needed after the sign-in. */
export function spelledGiver({ issuer, tokenEndpoint, methods }: TokenGiver) {
  return {
    issuer,
    authorization_endpoint: tokenEndpoint, // demanded by the form; nobody is sent there
    token_endpoint: tokenEndpoint,
    response_types_supported: ['code'],
    token_endpoint_auth_methods_supported: [...methods],
  }
}

/** What the one who gives tokens answered instead, in words: its code, and never what was sent. */
export function tokenTrouble(error: unknown, issuer: string): CountersignError {
  if (error instanceof CountersignError) return error
  const code = error instanceof OAuthError ? ` (${safeText(String(error.code).slice(0, 64))})` : ''
  return failed(`\`${safeText(issuer)}\` gave no token${code}; sign in again`)
}
