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
import { readIssuer } from './issuer-origins.ts'
import { signInError } from './safe-url.ts'

/** The authorization server of an MCP server. */
export interface FoundAuthorizationServer {
  readonly metadata: AuthorizationServerMetadata
  /** The server’s resource identifier (RFC 8707); its URL if it publishes none. */
  readonly resource: string
  /** The proposed scope. */
  readonly scope: string | undefined
}

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'countersign', version: '1' } },
}

/** Discovers the authorization server of an MCP server from its 401 and its metadata. */
export async function findAuthorizationServer(server: URL, ask: BoundedFetch): Promise<FoundAuthorizationServer> {
  const { status, named, wanted } = await probe(server, ask)
  const resource = await resourceOf(server, named, ask)
  const place = resource?.authorization_servers?.[0]
  if (place !== undefined) readIssuer(place, server)
  const metadata = await metadataOf(place ?? new URL('/', server).href, ask)
  if (metadata === undefined) {
    if (place !== undefined)
      throw signInError(`\`${safeText(place)}\` publishes no sign-in metadata; contact the server’s owner`)
    throw signInError(noServerReason(status))
  }
  readIssuer(metadata.issuer, server)
  // By the MCP specification, absence means no support.
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true)
    throw signInError(`\`${safeText(metadata.issuer)}\` does not support PKCE (S256); contact its owner`)
  const scope = withOfflineAccess(wanted ?? resource?.scopes_supported?.join(' '), metadata)
  return { metadata, resource: resource?.resource ?? `${server.origin}${server.pathname}`, scope }
}

/** Why there is no authorization server. */
function noServerReason(status: number): string {
  if (status === 401) return 'the server names no authorization server; if it requires a key, pass it with `--header`'
  if (status < 300) return 'the server requires no sign-in'
  return `the server answered ${status}, and names no authorization server; check its URL`
}

/** Sends a request without a token: the refusal names the metadata. */
async function probe(server: URL, ask: BoundedFetch) {
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
    if (named !== undefined) throw signInError(`\`${safeText(named.href.slice(0, 256))}\` does not describe the server`)
    return undefined // older servers publish none and are their own authorization server
  })
  // SECURITY: A20 never request a token for another server, whatever this one claims to be.
  if (found !== undefined && !checkResourceAllowed({ requestedResource: server, configuredResource: found.resource }))
    throw signInError(
      `the server calls itself \`${safeText(found.resource.slice(0, 256))}\`, which is not its URL; check it, and contact its owner`,
    )
  return found
}

async function metadataOf(place: string, ask: BoundedFetch): Promise<AuthorizationServerMetadata | undefined> {
  try {
    return await discoverAuthorizationServerMetadata(place, { fetchFn: ask })
  } catch (error) {
    if (error instanceof CountersignError) throw error
    // The other issuer is not shown: in an attack somebody else chose it.
    if (error instanceof IssuerMismatchError)
      throw signInError(`\`${safeText(place)}\` claims to be another issuer; do not sign in there, contact its owner`)
    throw signInError(`\`${safeText(place)}\` publishes no sign-in metadata; contact the server’s owner`)
  }
}

/** Requests `offline_access` where that is needed for refresh tokens. */
function withOfflineAccess(scope: string | undefined, metadata: AuthorizationServerMetadata): string | undefined {
  if (scope === undefined || !metadata.scopes_supported?.includes('offline_access')) return scope
  return scope.split(' ').includes('offline_access') ? scope : `${scope} offline_access`
}
