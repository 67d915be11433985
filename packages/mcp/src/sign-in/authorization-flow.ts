import { CountersignError, safeText } from '@countersign/core'
import {
  exchangeAuthorization,
  IssuerMismatchError,
  RegistrationRejectedError,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import { type BoundedFetch, boundedFetch } from './bounded-fetch.ts'
import { type FoundAuthorizationServer, findAuthorizationServer } from './discover-authorization-server.ts'
import { confirmOrigins, type OriginOptions, revocationOf, type SignInOrigins } from './issuer-origins.ts'
import type { Redirect, RedirectAnswer } from './redirect-listener.ts'
import { signInError } from './safe-url.ts'
import type { StoredSignIn, TokenClient } from './sign-in-store.ts'
import { clientInformation, MAX_SCOPE, tokenError, tokensIn } from './tokens.ts'

/** The options of a sign-in. */
export interface SignInOptions extends OriginOptions {
  readonly scope: string | null
}

/** A sign-in that a person continues in a browser. */
export interface StartedSignIn {
  readonly origins: SignInOrigins
  /** The page to open. It works once, and only for this process. */
  readonly link: string
  /** Exchanges the browser’s redirect for tokens. */
  finish(answer: RedirectAnswer, now: number): Promise<StoredSignIn>
}

/** Starts a sign-in: discovers the authorization server, registers a client, and builds the link. */
export async function startSignIn(server: URL, redirect: Redirect, wishes: SignInOptions): Promise<StartedSignIn> {
  const ask = boundedFetch(server)
  const found = await findAuthorizationServer(server, ask)
  const { metadata, resource } = found
  const { issuer } = metadata
  const scope = wishes.scope ?? found.scope
  if ((scope?.length ?? 0) > MAX_SCOPE) throw signInError('too many scopes; request fewer with `--scope`')
  const origins = await confirmOrigins(found, server, wishes)
  const client =
    wishes.client === null ? await registerOAuthClient(found, redirect, scope, ask) : { ...wishes.client, method: null }
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    metadata,
    clientInformation: clientInformation(client),
    redirectUrl: redirect.url,
    state: redirect.state,
    resource,
    ...(scope === undefined ? {} : { scope }),
  }).catch(() => {
    throw signInError(`\`${safeText(issuer)}\` offers no supported sign-in; contact its owner`)
  })

  async function redeem(code: string, iss: string | undefined, now: number): Promise<StoredSignIn> {
    const tokens = await exchangeAuthorization(issuer, {
      metadata,
      clientInformation: clientInformation(client),
      authorizationCode: code,
      codeVerifier,
      redirectUri: redirect.url,
      fetchFn: ask,
      resource,
      ...(iss === undefined ? {} : { iss }),
    })
    return {
      url: server.href,
      authorizationServer: {
        issuer,
        tokenEndpoint: metadata.token_endpoint,
        revocationEndpoint: revocationOf(metadata),
        methods: metadata.token_endpoint_auth_methods_supported ?? [],
      },
      client,
      resource,
      scope: tokens.scope ?? scope ?? null,
      ...tokensIn(tokens, now),
    }
  }

  return {
    origins,
    link: authorizationUrl.href,
    async finish(answer, now) {
      checkIssuer(answer.iss, found)
      if (answer.kind === 'refused')
        throw signInError(`\`${safeText(issuer)}\` refused the sign-in (${safeText(answer.error)}); nothing was stored`)
      try {
        return await redeem(answer.code, answer.iss, now)
      } catch (error) {
        throw tokenError(error, issuer)
      }
    },
  }
}

/** INVARIANT: a response of another issuer is ignored, even a refusal (RFC 9207): nothing it says is shown. */
function checkIssuer(iss: string | undefined, { metadata }: FoundAuthorizationServer): void {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata['authorization_response_iss_parameter_supported'] === true,
    })
  } catch (error) {
    if (!(error instanceof IssuerMismatchError)) throw error
    throw signInError('the response came from another issuer; nothing was stored')
  }
}

/** Registers a client. Each sign-in has its own, because the port of the redirect differs each time. */
async function registerOAuthClient(
  { metadata }: FoundAuthorizationServer,
  { url }: Redirect,
  scope: string | undefined,
  ask: BoundedFetch,
): Promise<TokenClient> {
  const { issuer } = metadata
  if (metadata.registration_endpoint === undefined)
    throw signInError(
      `\`${safeText(issuer)}\` does not support client registration; register a client there and pass \`--client-id\``,
    )
  try {
    const made = await registerClient(issuer, {
      metadata,
      clientMetadata: {
        client_name: 'Countersign',
        redirect_uris: [url],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      },
      fetchFn: ask,
      ...(scope === undefined ? {} : { scope }),
    })
    return {
      id: made.client_id,
      secret: made.client_secret ?? null,
      method: made.token_endpoint_auth_method ?? null,
    }
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const status = error instanceof RegistrationRejectedError ? ` (${error.status})` : ''
    throw signInError(
      `\`${safeText(issuer)}\` refused the client registration${status}; register a client there and pass \`--client-id\``,
    )
  }
}
