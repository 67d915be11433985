import { safeText } from '@countersign/core'
import {
  exchangeAuthorization,
  IssuerMismatchError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import { boundedFetch } from './bounded-fetch.ts'
import { registerNow } from './client-registration.ts'
import { agreePlaces, type PlaceWishes } from './confirm-origins.ts'
import { type FoundGiver, findGiver } from './discover-issuer.ts'
import { failed } from './error.ts'
import { type GiverPlaces, revocationOf } from './issuer-origins.ts'
import type { Redirect, RedirectAnswer } from './redirect-listener.ts'
import type { KeptSignIn } from './sign-in-store.ts'
import { MAX_SCOPE, spelledClient, tokensIn, tokenTrouble } from './token-response.ts'

/** As whom and for what to sign in, where a person says it. */
export interface SignInWishes extends PlaceWishes {
  readonly scope: string | null
}

/** A sign-in that a person goes on with in a browser. */
export interface BegunSignIn {
  readonly places: GiverPlaces
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
  if ((scope?.length ?? 0) > MAX_SCOPE)
    throw failed('there are more scopes than can be kept; give fewer with `--scope`')
  const places = await agreePlaces(found, server, wishes)
  const client =
    wishes.client === null ? await registerNow(found, redirect, scope, ask) : { ...wishes.client, method: null }
  const { authorizationUrl, codeVerifier } = await startAuthorization(issuer, {
    metadata,
    clientInformation: spelledClient(client),
    redirectUrl: redirect.url,
    state: redirect.state,
    resource,
    ...(scope === undefined ? {} : { scope }),
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
      resource,
      ...(iss === undefined ? {} : { iss }),
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
      resource,
      scope: tokens.scope ?? scope ?? null,
      ...tokensIn(tokens, now),
    }
  }

  return {
    places,
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
