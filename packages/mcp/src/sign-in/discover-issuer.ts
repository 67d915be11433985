import { CountersignError, safeText } from '@countersign/core'
import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  IssuerMismatchError,
  type OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client'
import type { BoundedFetch } from './bounded-fetch.ts'
import { failed } from './error.ts'
import { readIssuer } from './issuer-origins.ts'

/** What a server says of how to sign in to it. */
export interface FoundGiver {
  readonly metadata: AuthorizationServerMetadata
  /** What the server calls itself, to be named where tokens are asked for (RFC 8707); its address where it says nothing. */
  readonly resource: string
  /** What it wants to be asked for. */
  readonly scope: string | undefined
}

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'countersign', version: '1' } },
}

/** Finds out where a server has its people sign in: from its refusal, and what it publishes. */
export async function findGiver(server: URL, ask: BoundedFetch): Promise<FoundGiver> {
  const { status, named, wanted } = await knock(server, ask)
  const resource = await resourceOf(server, named, ask)
  const place = resource?.authorization_servers?.[0]
  if (place !== undefined) readIssuer(place, server)
  const metadata = await metadataOf(place ?? new URL('/', server).href, ask)
  if (metadata === undefined) {
    if (place !== undefined) throw failed(`\`${safeText(place)}\` does not say how to sign in; tell the server’s owner`)
    throw failed(nowhere(status))
  }
  readIssuer(metadata.issuer, server)
  // The protocol's own rule: where it is not said, it is not there.
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw failed(`\`${safeText(metadata.issuer)}\` does not bind codes to whoever asked (PKCE, S256); tell its owner`)
  const scope = withOffline(wanted ?? resource?.scopes_supported?.join(' '), metadata)
  return { metadata, resource: resource?.resource ?? `${server.origin}${server.pathname}`, scope }
}

/** What a server means that has no place to sign in. */
function nowhere(status: number): string {
  if (status === 401) return 'the server names no place to sign in; if it wants a key, give it with `--header`'
  if (status < 300) return 'the server answers without a sign-in; use it as it is'
  return `the server answered ${status}, and names no place to sign in; check its address`
}

/** Asks without a token: the refusal says where to go. */
async function knock(server: URL, ask: BoundedFetch) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const answer = await ask(server, { method: 'POST', headers, body: JSON.stringify(HELLO) })
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer)
  return { status: answer.status, named: resourceMetadataUrl, wanted: scope }
}

async function resourceOf(
  server: URL,
  named: URL | undefined,
  ask: BoundedFetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const found = await discoverOAuthProtectedResourceMetadata(
    server,
    named === undefined ? {} : { resourceMetadataUrl: named },
    ask,
  ).catch((error: unknown) => {
    if (error instanceof CountersignError) throw error
    if (named !== undefined) throw failed(`\`${safeText(named.href.slice(0, 256))}\` does not describe the server`)
    return undefined // older servers publish none, and are their own place to sign in
  })
  // SECURITY: A20 a token for another server must not be asked for, however this one calls itself.
  if (found !== undefined && !checkResourceAllowed({ requestedResource: server, configuredResource: found.resource }))
    throw failed(
      `the server calls itself \`${safeText(found.resource.slice(0, 256))}\`, which is not its address; check it, and tell its owner`,
    )
  return found
}

async function metadataOf(place: string, ask: BoundedFetch): Promise<AuthorizationServerMetadata | undefined> {
  try {
    return await discoverAuthorizationServerMetadata(place, { fetchFn: ask })
  } catch (error) {
    if (error instanceof CountersignError) throw error
    // What it says instead is not shown: in an attack somebody else chose it.
    if (error instanceof IssuerMismatchError)
      throw failed(`\`${safeText(place)}\` says that it is another issuer; do not sign in there, tell its owner`)
    throw failed(`\`${safeText(place)}\` does not say how to sign in; tell the server’s owner`)
  }
}

/** Where tokens can be renewed only if that was asked for, it is. */
function withOffline(scope: string | undefined, metadata: AuthorizationServerMetadata): string | undefined {
  if (scope === undefined || !metadata.scopes_supported?.includes('offline_access')) return scope
  return scope.split(' ').includes('offline_access') ? scope : `${scope} offline_access`
}
