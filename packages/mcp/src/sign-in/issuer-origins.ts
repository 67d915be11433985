import { safeText } from '@countersign/core'
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import type { FoundAuthorizationServer } from './discover-authorization-server.ts'
import { isAllowedUrl, signInError } from './safe-url.ts'
import type { TokenClient } from './sign-in-store.ts'

/** The origins of a sign-in, for a person to compare. */
export interface SignInOrigins {
  readonly issuer: string
  /** The consent page. */
  readonly page: string
  /** The token endpoint, which gets the code and the client’s credentials. */
  readonly tokens: string
  /** The registration endpoint; null when no client is registered. */
  readonly registration: string | null
  /** The revocation endpoint; null when there is none. */
  readonly revocation: string | null
}

/** L10, and still readable. */
const LONGEST = 2_048

/**
 * Checks an issuer URL. SECURITY: A20 the server chose it: a user, a query or a fragment (forbidden by RFC 8414) could
 * make it look like another.
 */
export function readIssuer(issuer: string, server: URL): URL {
  const url = issuer.length > LONGEST ? null : URL.parse(issuer)
  if (url === null || /[?#@\s\\]/.test(issuer))
    throw signInError('the server names an invalid issuer URL (RFC 8414); do not sign in there, contact its owner')
  return safePlace(url, server)
}

/** The origins in the metadata; `registers` when a client is to be registered. */
function originsOf(metadata: AuthorizationServerMetadata, server: URL, registers: boolean): SignInOrigins {
  const { issuer, authorization_endpoint: page, token_endpoint: tokens, registration_endpoint: registration } = metadata
  const origin = (place: string): string => safePlace(new URL(place), server).origin
  const revocation = revocationOf(metadata)
  return {
    issuer: readIssuer(issuer, server).origin,
    page: origin(page),
    tokens: origin(tokens),
    registration: registers && registration !== undefined ? origin(registration) : null,
    revocation: revocation === null ? null : origin(revocation),
  }
}

export function revocationOf(metadata: AuthorizationServerMetadata): string | null {
  const place = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
  return typeof place === 'string' ? place : null
}

/**
 * The hosts that differ from the issuer’s. SECURITY: A20 an attacker could show an honest consent page and have its
 * code sent to itself; only the person can tell this from an issuer with several hosts.
 */
function foreignHosts({ issuer, ...others }: SignInOrigins): readonly string[] {
  const origins = Object.values(others).filter((one): one is string => one !== null && one !== issuer)
  return [...new Set(origins)].map((one) => new URL(one).host)
}

function safePlace(url: URL, server: URL): URL {
  if (isAllowedUrl(url, server)) return url
  throw signInError(
    `the server leads to \`${url.origin.slice(0, 256)}\`, where a sign-in is not safe; contact its owner`,
  )
}

/** The person’s options for the origins of a sign-in. */
export interface OriginOptions {
  /** A client registered by hand; otherwise one is registered now. */
  readonly client: Pick<TokenClient, 'id' | 'secret'> | null
  /** The required issuer, as in its metadata. */
  readonly issuer: string | null
  /** Further hosts of the issuer. */
  readonly hosts: readonly string[]
  /** SentRequest where only a person can say whether origins belong together. Nothing was sent to them yet. */
  confirm(asked: SignInQuestion): Promise<boolean>
}

/** The question before a sign-in. */
export interface SignInQuestion {
  readonly origins: SignInOrigins
  /** Hosts that are neither the issuer’s nor allowed; empty when only the client is in question. */
  readonly foreign: readonly string[]
}

/**
 * The confirmed origins. SECURITY: A32 a client registered by hand, and its secret, belong to the issuer where it was
 * registered: the server’s claim of who that is does not suffice.
 */
export async function confirmOrigins(
  { metadata }: FoundAuthorizationServer,
  server: URL,
  wishes: OriginOptions,
): Promise<SignInOrigins> {
  const { client, issuer, hosts } = wishes
  const origins = originsOf(metadata, server, client === null)
  if (issuer !== null && plain(issuer) !== plain(metadata.issuer))
    throw signInError(`the server uses the issuer \`${safeText(metadata.issuer)}\`, which is not the issuer you named`)
  const foreign = foreignHosts(origins).filter((host) => !hosts.includes(host))
  const isOpen = foreign.length > 0 || (client !== null && issuer === null)
  if (isOpen && !(await wishes.confirm({ origins, foreign })))
    throw signInError('the hosts were not confirmed; nothing was sent there, and nothing was stored')
  return origins
}

/** An issuer URL without a trailing slash. */
function plain(issuer: string): string {
  return URL.parse(issuer)?.href.replace(/\/$/, '') ?? issuer
}
