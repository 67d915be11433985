import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client'
import { failed } from './error.ts'
import { mayAsk } from './safe-address.ts'

/** Where a sign-in leads, as origins: what a person can compare. */
export interface GiverPlaces {
  readonly issuer: string
  /** The page on which a person agrees. */
  readonly page: string
  /** Where the code of that page goes, and what a client proves itself with. */
  readonly tokens: string
  /** Where a client is registered; null where none is. */
  readonly registration: string | null
  /** Where tokens are taken back; null where they are not. */
  readonly revocation: string | null
}

/** L10, and what a person can still read. */
const LONGEST = 2_048

/**
 * An issuer that may be asked, and shown. SECURITY: A20 it is chosen by the server: without a user, a query or a fragment (RFC
 * 8414), in which it could look like somebody else.
 */
export function readIssuer(issuer: string, server: URL): URL {
  const url = issuer.length > LONGEST ? null : URL.parse(issuer)
  if (url === null || /[?#@\s\\]/.test(issuer))
    throw failed('the server names an issuer that is no plain address (RFC 8414); do not sign in there, tell its owner')
  return safePlace(url, server)
}

/** The places that metadata names; `registers` says whether a client is to be registered. */
export function placesOf(metadata: AuthorizationServerMetadata, server: URL, registers: boolean): GiverPlaces {
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
 * Those that are not the issuer's own, by their hosts. SECURITY: A20 whoever has a person agree on an honest page, and the code
 * sent to themselves, has their account there; nobody can tell it from a giver with several hosts but the person.
 */
export function strangeHosts({ issuer, ...others }: GiverPlaces): readonly string[] {
  const origins = Object.values(others).filter((one): one is string => one !== null && one !== issuer)
  return [...new Set(origins)].map((one) => new URL(one).host)
}

function safePlace(url: URL, server: URL): URL {
  if (mayAsk(url, server)) return url
  throw failed(`the server leads to \`${url.origin.slice(0, 256)}\`, where a sign-in is not safe; tell its owner`)
}
