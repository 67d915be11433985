import { CountersignError, safeText } from '@countersign/core'
import {
  exchangeAuthorization,
  IssuerMismatchError,
  RegistrationRejectedError,
  registerClient,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import { spelledClient, tokensIn, tokenTrouble } from './ask-tokens.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type FoundGiver, findGiver } from './find-giver.ts'
import type { KeptSignIn, TokenClient } from './kept-sign-in.ts'
import type { Redirect, RedirectAnswer } from './redirect-listener.ts'
import { failed } from './sign-in-error.ts'

/** As whom and for what to sign in, where a person says it. */
export interface SignInWishes {
  /** A client that was registered by hand; else one is registered now. */
  readonly client: Pick<TokenClient, 'id' | 'secret'> | null
  readonly scope: string | null
}

/** A sign-in that a person goes on with in a browser. */
export interface BegunSignIn {
  readonly issuer: string
  /** The page to open. It works once, and for whoever began. */
  readonly link: string
  /** Makes tokens of what the browser brought back. */
  finish(answer: RedirectAnswer, now: number): Promise<KeptSignIn>
}

/** Begins to sign in to a server: finds out where, registers, and makes the page's address. */
export async function beginSignIn(server: URL, redirect: Redirect, wishes: SignInWishes): Promise<BegunSignIn> {
  const ask = boundedFetch(server)
  const found = await findGiver(server, ask)
  const { metadata, resource } = found
  const { issuer } = metadata
  const scope = wishes.scope ?? found.scope
  const client = await clientFor(found, redirect, wishes, scope, ask)
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    metadata,
    clientInformation: spelledClient(client),
    redirectUrl: redirect.url,
    state: redirect.state,
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  }).catch(() => {
    throw failed(`\`${safeText(issuer)}\` has no sign-in that fits; tell its owner`)
  })

  async function redeem(code: string, iss: string | undefined, now: number): Promise<KeptSignIn> {
    const tokens = await exchangeAuthorization(issuer, {
      metadata,
      clientInformation: spelledClient(client),
      authorizationCode: code,
      codeVerifier,
      redirectUri: redirect.url,
      fetchFn: ask,
      ...(iss === undefined ? {} : { iss }),
      ...(resource === undefined ? {} : { resource }),
    })
    return {
      url: server.href,
      giver: {
        issuer,
        tokenEndpoint: metadata.token_endpoint,
        revocationEndpoint: revocationOf(metadata),
        methods: metadata.token_endpoint_auth_methods_supported ?? [],
      },
      client,
      resource: resource ?? null,
      scope: tokens.scope ?? scope ?? null,
      ...tokensIn(tokens, now),
    }
  }

  return {
    issuer,
    link: authorizationUrl.href,
    async finish(answer, now) {
      checkIssuer(answer.iss, found)
      if (answer.kind === 'refused')
        throw failed(`\`${safeText(issuer)}\` refused the sign-in (${safeText(answer.error)}); nothing was kept`)
      try {
        return await redeem(answer.code, answer.iss, now)
      } catch (error) {
        throw tokenTrouble(error, issuer)
      }
    },
  }
}

/** INVARIANT: an answer of another issuer is none, also its refusal (RFC 9207): nothing it says is shown. */
function checkIssuer(iss: string | undefined, { metadata }: FoundGiver): void {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata['authorization_response_iss_parameter_supported'] === true,
    })
  } catch (error) {
    if (!(error instanceof IssuerMismatchError)) throw error
    throw failed('the answer came from another issuer than the one that was asked; nothing was kept')
  }
}

/** Each sign-in by its own client: the address it comes back to has another port each time. */
async function clientFor(
  { metadata }: FoundGiver,
  { url }: Redirect,
  wishes: SignInWishes,
  scope: string | undefined,
  ask: ReturnType<typeof boundedFetch>,
): Promise<TokenClient> {
  if (wishes.client !== null) return { ...wishes.client, method: null }
  const { issuer } = metadata
  if (metadata.registration_endpoint === undefined)
    throw failed(`\`${safeText(issuer)}\` registers nobody by itself; register a client there and give \`--client-id\``)
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
    throw failed(
      `\`${safeText(issuer)}\` did not register us${status}; register a client there and give \`--client-id\``,
    )
  }
}

function revocationOf(metadata: FoundGiver['metadata']): string | null {
  const place = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
  return typeof place === 'string' ? place : null
}
