import { OAuthError, OAuthErrorCode, refreshAuthorization, selectClientAuthMethod } from '@modelcontextprotocol/client'
import { boundedFetch } from './bounded-fetch.ts'
import type { KeptSignIn } from './sign-in-store.ts'
import { spelledClient, spelledGiver, tokensIn, tokenTrouble } from './token-response.ts'

/** Said by who gives tokens: asking again brings nothing, only a person can. */
const OVER: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
])

/** A new access token for an old sign-in; `over` when it cannot be renewed any more. Throws when nobody can say. */
export async function renewSignIn(kept: KeptSignIn, now: number): Promise<KeptSignIn | 'over'> {
  const { giver, refreshToken } = kept
  if (refreshToken === null) return 'over'
  try {
    const tokens = await refreshAuthorization(giver.issuer, {
      metadata: spelledGiver(giver),
      clientInformation: spelledClient(kept.client),
      refreshToken,
      fetchFn: boundedFetch(new URL(kept.url)),
      ...(kept.resource === null ? {} : { resource: kept.resource }),
    })
    return { ...kept, ...tokensIn(tokens, now), scope: tokens.scope ?? kept.scope }
  } catch (error) {
    if (error instanceof OAuthError && OVER.has(error.code)) return 'over'
    throw tokenTrouble(error, giver.issuer)
  }
}

/** Has the tokens taken back where they were given (RFC 7009); false where that is not offered. Throws when it fails. */
export async function revokeSignIn(kept: KeptSignIn): Promise<boolean> {
  const { giver, client } = kept
  if (giver.revocationEndpoint === null) return false
  const ask = boundedFetch(new URL(kept.url))
  const tokens = [
    ['refresh_token', kept.refreshToken],
    ['access_token', kept.accessToken],
  ] as const
  for (const [kind, token] of tokens) {
    if (token === null) continue
    const body = new URLSearchParams({ token, token_type_hint: kind })
    const headers = new Headers({ accept: 'application/json' })
    const method = selectClientAuthMethod(spelledClient(client), [...giver.methods])
    if (method === 'client_secret_basic' && client.secret !== null)
      headers.set('authorization', `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`)
    else {
      body.set('client_id', client.id)
      if (client.secret !== null) body.set('client_secret', client.secret)
    }
    const { status } = await ask(giver.revocationEndpoint, { method: 'POST', headers, body })
    if (status >= 300) throw tokenTrouble(new Error(`status ${status}`), giver.issuer)
  }
  return true
}
