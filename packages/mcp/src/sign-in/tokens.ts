import { CountersignError, safeText } from '@countersign/core'
import {
  type OAuthClientInformationMixed,
  OAuthError,
  OAuthErrorCode,
  type OAuthTokens,
  refreshAuthorization,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client'
import { boundedFetch } from './bounded-fetch.ts'
import { signInError } from './safe-url.ts'
import type { AuthorizationServer, StoredSignIn, TokenClient } from './sign-in-store.ts'

/** What fits in a header. */
const TOKEN = /^[\x21-\x7e]{1,16384}$/
/** L10: the stored file must stay readable. */
const MAX_REFRESH = 65_536
export const MAX_SCOPE = 8_192
/** A token is renewed this long before it expires; a short-lived one after most of its life. */
const EARLY_MS = 30_000
const LATE = 0.9
const LONGEST_S = 10 * 365 * 24 * 3600

/** The tokens of a response, as stored. */
export function tokensIn(
  answer: OAuthTokens,
  now: number,
): Pick<StoredSignIn, 'accessToken' | 'refreshToken' | 'expiresAt' | 'renewAt'> {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type, expires_in: seconds } = answer
  if (type.toLowerCase() !== 'bearer')
    throw signInError('the server issues an unsupported token type; only `Bearer` is supported')
  if (!TOKEN.test(accessToken))
    throw signInError('the server issued a token that does not fit in a header; contact its owner')
  if ((refreshToken?.length ?? 0) > MAX_REFRESH || (answer.scope?.length ?? 0) > MAX_SCOPE)
    throw signInError('the server issued a token or scope that is too large; contact its owner')
  const isTimed = seconds !== undefined && Number.isFinite(seconds) && seconds > 0
  const lifeMs = isTimed ? Math.min(seconds, LONGEST_S) * 1000 : null
  return {
    accessToken,
    refreshToken: refreshToken ?? null,
    expiresAt: lifeMs === null ? null : now + lifeMs,
    renewAt: lifeMs === null ? null : now + Math.max(lifeMs - EARLY_MS, lifeMs * LATE),
  }
}

/** A client in the form of the OAuth library. */
export function clientInformation({ id, secret, method }: TokenClient): OAuthClientInformationMixed {
  return {
    client_id: id,
    ...(secret === null ? {} : { client_secret: secret }),
    ...(method === null ? {} : { token_endpoint_auth_method: method }),
  }
}

/** The metadata that is needed after the sign-in. */
function serverMetadata({ issuer, tokenEndpoint, methods }: AuthorizationServer) {
  return {
    issuer,
    authorization_endpoint: tokenEndpoint, // required by the type; never used
    token_endpoint: tokenEndpoint,
    response_types_supported: ['code'],
    token_endpoint_auth_methods_supported: [...methods],
  }
}

/** An error from the authorization server: its code, never what was sent. */
export function tokenError(error: unknown, issuer: string): CountersignError {
  if (error instanceof CountersignError) return error
  const code = error instanceof OAuthError ? ` (${safeText(String(error.code).slice(0, 64))})` : ''
  return signInError(`\`${safeText(issuer)}\` issued no token${code}; sign in again`)
}

/** Errors after which only a new sign-in helps. */
const OVER: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
])

/** Renews a sign-in; `over` when it cannot be renewed any more. Throws on other failures. */
export async function renewSignIn(kept: StoredSignIn, now: number): Promise<StoredSignIn | 'over'> {
  const { authorizationServer, refreshToken } = kept
  if (refreshToken === null) return 'over'
  try {
    const tokens = await refreshAuthorization(authorizationServer.issuer, {
      metadata: serverMetadata(authorizationServer),
      clientInformation: clientInformation(kept.client),
      refreshToken,
      fetchFn: boundedFetch(new URL(kept.url)),
      ...(kept.resource === null ? {} : { resource: kept.resource }),
    })
    return { ...kept, ...tokensIn(tokens, now), scope: tokens.scope ?? kept.scope }
  } catch (error) {
    if (error instanceof OAuthError && OVER.has(error.code)) return 'over'
    throw tokenError(error, authorizationServer.issuer)
  }
}

/** Revokes the tokens (RFC 7009); false when the server does not support it. Throws when it fails. */
export async function revokeSignIn(kept: StoredSignIn): Promise<boolean> {
  const { authorizationServer, client } = kept
  if (authorizationServer.revocationEndpoint === null) return false
  const ask = boundedFetch(new URL(kept.url))
  const tokens = [
    ['refresh_token', kept.refreshToken],
    ['access_token', kept.accessToken],
  ] as const
  for (const [kind, token] of tokens) {
    if (token === null) continue
    const body = new URLSearchParams({ token, token_type_hint: kind })
    const headers = new Headers({ accept: 'application/json' })
    const method = selectClientAuthMethod(clientInformation(client), [...authorizationServer.methods])
    if (method === 'client_secret_basic' && client.secret !== null)
      headers.set('authorization', `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`)
    else {
      body.set('client_id', client.id)
      if (client.secret !== null) body.set('client_secret', client.secret)
    }
    const { status } = await ask(authorizationServer.revocationEndpoint, { method: 'POST', headers, body })
    if (status >= 300) throw tokenError(new Error(`status ${status}`), authorizationServer.issuer)
  }
  return true
}
