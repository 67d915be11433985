/** A small MCP server that requires sign-in, and its authorization server, for tests: both record their requests. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { behave, type ScriptedRequest, toolNamed } from '../http/scripted-server.fixture.ts'

/** One recorded request, at either server. */
export interface SeenAt {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Their behaviour; a test can change it at any time. */
export interface Behaviour {
  expiresIn: number | undefined
  /** The authorization server's metadata. */
  metadata: object
  /** The MCP server's metadata. */
  resource: object
  /** The MCP server publishes this as its own authorization server metadata, and no resource metadata, like older servers. */
  own: object | null
  /** Added to the redirect's parameters, or replacing them. */
  redirect: Readonly<Record<string, string>>
  /** Added to the token response, or replacing it. */
  tokens: object
  /** The token endpoint fails. */
  isDown: boolean
  /** Token responses wait for this. */
  gives: Promise<void>
  /** Lets a test answer requests that have a valid token; true if it did. */
  serve(asked: ScriptedRequest, answer: ServerResponse): boolean
}

interface Grant {
  readonly client: string
  readonly challenge: string
  readonly redirect: string
  readonly resource: string | null
  readonly scope: string
}

const say = (answer: ServerResponse, status: number, body: object, headers: object = {}): void =>
  void answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

/** Starts both on free ports, for one test. */
export async function startOAuthServers() {
  const at: SeenAt[] = []
  const seen: SeenAt[] = []
  const clients = new Map<string, readonly string[]>()
  const codes = new Map<string, Grant>()
  const live = new Set<string>()
  const refreshers = new Set<string>()
  /** Every token and secret ever issued. */
  const secrets: string[] = []
  const behaviour: Behaviour = {
    expiresIn: 3600,
    metadata: {},
    resource: {},
    own: null,
    redirect: {},
    tokens: {},
    isDown: false,
    gives: Promise.resolve(),
    serve: () => false,
  }
  const fresh = (kind: string): string => {
    const made = `${kind}-${randomBytes(24).toString('hex')}`
    secrets.push(made)
    return made
  }

  const issuer = await start(async (asked, answer): Promise<void> => {
    at.push(asked)
    const url = new URL(asked.path, issuer)
    const form = new URLSearchParams(asked.body)
    switch (`${asked.method} ${url.pathname}`) {
      case 'GET /.well-known/oauth-authorization-server':
        return say(answer, 200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          registration_endpoint: `${issuer}/register`,
          revocation_endpoint: `${issuer}/revoke`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          authorization_response_iss_parameter_supported: true,
          ...behaviour.metadata,
        })
      case 'POST /register': {
        const asks = JSON.parse(asked.body) as { readonly redirect_uris: readonly string[] }
        const id = `client-${randomBytes(4).toString('hex')}`
        clients.set(id, asks.redirect_uris)
        return say(answer, 201, { ...asks, client_id: id })
      }
      case 'GET /authorize':
        return authorize(url.searchParams, answer)
      case 'POST /token':
        await behaviour.gives
        if (!behaviour.isDown) return give(form, answer)
        answer.writeHead(503).end('down')
        return
      case 'POST /revoke':
        live.delete(form.get('token') ?? '')
        refreshers.delete(form.get('token') ?? '')
        return say(answer, 200, {})
      default:
        return say(answer, 404, {})
    }
  })

  function authorize(asks: URLSearchParams, answer: ServerResponse): void {
    const [client, redirect] = [asks.get('client_id') ?? '', asks.get('redirect_uri') ?? '']
    const isKnown = clients.get(client)?.includes(redirect) === true
    if (!isKnown || asks.get('code_challenge_method') !== 'S256' || asks.get('response_type') !== 'code') {
      say(answer, 400, { error: 'invalid_request' })
      return
    }
    const code = fresh('code')
    codes.set(code, {
      client,
      redirect,
      challenge: asks.get('code_challenge') ?? '',
      resource: asks.get('resource'),
      scope: asks.get('scope') ?? '',
    })
    const back = new URL(redirect)
    const brings = { code, state: asks.get('state') ?? '', iss: issuer, ...behaviour.redirect }
    for (const [name, value] of Object.entries(brings)) if (value !== '') back.searchParams.set(name, value)
    answer.writeHead(302, { location: back.href }).end()
  }

  function give(form: URLSearchParams, answer: ServerResponse): void {
    const isRenewal = form.get('grant_type') === 'refresh_token'
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proven = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = isRenewal
      ? refreshers.delete(form.get('refresh_token') ?? '')
      : grant?.challenge === proven &&
        grant.redirect === form.get('redirect_uri') &&
        grant.client === form.get('client_id')
    if (!isRight || (form.get('resource') ?? server) !== server) {
      say(answer, 400, { error: 'invalid_grant' })
      return
    }
    const [access, refresh] = [fresh('access'), fresh('refresh')]
    live.add(access)
    refreshers.add(refresh)
    const { expiresIn } = behaviour
    const scope = grant === undefined ? {} : { scope: grant.scope }
    say(answer, 200, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      ...(expiresIn === undefined ? {} : { expires_in: expiresIn }),
      ...scope,
      ...behaviour.tokens,
    })
  }

  const origin = await start(async (asked, answer) => {
    seen.push(asked)
    if (behaviour.own !== null) {
      if (asked.path !== '/.well-known/oauth-authorization-server')
        return say(answer, asked.method === 'GET' ? 404 : 401, {})
      return say(answer, 200, {
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...behaviour.own,
      })
    }
    if (asked.path === '/.well-known/oauth-protected-resource/mcp')
      return say(answer, 200, {
        resource: server,
        authorization_servers: [issuer],
        scopes_supported: ['notes:read', 'notes:write'],
        ...behaviour.resource,
      })
    if (asked.path.startsWith('/.well-known/')) return say(answer, 404, {})
    if (!live.has(asked.headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
      const challenge = `Bearer realm="notes", ${metadata}, scope="notes:read"`
      return say(answer, 401, { error: 'no' }, { 'www-authenticate': challenge })
    }
    const request = { ...asked, message: asked.body.startsWith('{') ? JSON.parse(asked.body) : {} }
    if (!behaviour.serve(request, answer)) behave(request, answer, [toolNamed('get_note')])
  })
  const server = `${origin}/mcp`

  return {
    issuer,
    server,
    behaviour,
    /** The requests at the authorization server. */
    at,
    /** The requests at the MCP server. */
    seen,
    secrets,
    live,
    /** Every access token expires at once. */
    expireAll: () => live.clear(),
    /** … and no refresh token is accepted any more. */
    revokeAll() {
      live.clear()
      refreshers.clear()
    },
    register: (id: string, redirect: string) => clients.set(id, [redirect]),
    renewals: () =>
      at.filter(({ path, body }) => path === '/token' && body.includes('grant_type=refresh_token')).length,
    calls: () => seen.filter(({ body }) => body.includes('"tools/call"')),
  }
}

export type OAuthServers = Awaited<ReturnType<typeof startOAuthServers>>

async function start(take: (asked: SeenAt, answer: ServerResponse) => Promise<void> | void): Promise<string> {
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url: path = '', headers } = request
    await take({ method, path, headers, body: Buffer.concat(chunks).toString('utf8') }, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
