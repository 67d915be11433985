import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startScripted } from '../http/scripted-server.fixture.ts'
import { startOAuthServers } from './oauth-servers.fixture.ts'
import { isAllowedUrl, readSignInUrl } from './safe-url.ts'
import { signInAt } from './signed-in.fixture.ts'
import { renewSignIn, revokeSignIn } from './tokens.ts'

const refused = (words: RegExp) =>
  expect.objectContaining({ code: 'CS_MCP_SIGN_IN', message: expect.stringMatching(words) })

describe('a sign-in', () => {
  it('discovers the authorization server, registers, uses PKCE and names the server the token is for', async () => {
    const servers = await startOAuthServers()
    const kept = await signInAt(servers)
    expect(kept).toMatchObject({
      url: servers.server,
      authorizationServer: { issuer: servers.issuer, tokenEndpoint: `${servers.issuer}/token` },
      resource: servers.server,
      scope: 'notes:read',
      accessToken: expect.stringMatching(/^access-/),
      refreshToken: expect.stringMatching(/^refresh-/),
    })
    const asked = new URL(servers.at.find(({ path }) => path.startsWith('/authorize'))?.path ?? '', servers.issuer)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      resource: servers.server,
      code_challenge_method: 'S256',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    })
    expect(servers.at.find(({ path }) => path === '/token')?.body).toContain(encodeURIComponent(servers.server))
  })

  it('requests the person’s scopes, as the client they registered', async () => {
    const servers = await startOAuthServers()
    const mine = { client: { id: 'mine', secret: null }, scope: 'notes:write', issuer: servers.issuer }
    const kept = await signInAt(servers, mine, (redirect) => servers.register('mine', redirect))
    expect(kept).toMatchObject({ client: { id: 'mine' }, scope: 'notes:write' })
    expect(servers.at.some(({ path }) => path === '/register')).toBe(false)
  })

  it('requests offline access if renewal needs it', async () => {
    const servers = await startOAuthServers()
    servers.behaviour.metadata = { scopes_supported: ['notes:read', 'offline_access'] }
    expect(await signInAt(servers)).toMatchObject({ scope: 'notes:read offline_access' })
  })

  it.each([
    ['another issuer', { metadata: { issuer: 'https://evil.example' } }, /another issuer/],
    ['another resource', { resource: { resource: 'https://evil.example/mcp' } }, /not its URL/],
    [
      'an authorization endpoint without TLS',
      { metadata: { authorization_endpoint: 'http://evil.example/authorize' } },
      /not safe/,
    ],
    ['a token endpoint without TLS', { metadata: { token_endpoint: 'http://evil.example/token' } }, /not safe/],
    [
      'an authorization server without TLS',
      { resource: { authorization_servers: ['http://evil.example'] } },
      /not safe/,
    ],
    [
      'a registration endpoint without TLS',
      { metadata: { registration_endpoint: 'http://evil.example/r' } },
      /not safe/,
    ],
    ['a revocation endpoint without TLS', { metadata: { revocation_endpoint: 'http://evil.example/r' } }, /not safe/],
    [
      'a token endpoint on another origin',
      { metadata: { token_endpoint: 'https://evil.example/token' } },
      /not confirmed/,
    ],
    [
      'an authorization endpoint on another origin',
      { metadata: { authorization_endpoint: 'https://evil.example/' } },
      /not confirmed/,
    ],
    [
      'a revocation endpoint on another origin',
      { metadata: { revocation_endpoint: 'https://evil.example/' } },
      /not confirmed/,
    ],
    ['an extremely long issuer', { resource: { authorization_servers: [`https://${'e'.repeat(3000)}`] } }, /8414/],
    ['no support for PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, /PKCE/],
    ['nothing about PKCE', { metadata: { code_challenge_methods_supported: undefined } }, /PKCE/],
    ['no registration endpoint', { metadata: { registration_endpoint: undefined } }, /--client-id/],
    ['a redirect from another issuer', { redirect: { iss: 'https://evil.example' } }, /another issuer/],
    ['a redirect without an issuer, although it promised one', { redirect: { iss: '' } }, /another issuer/],
    ['a refusal', { redirect: { error: 'access_denied' } }, /refused the sign-in \(access_denied\)/],
    ['a code it did not issue', { redirect: { code: 'made-up' } }, /issued no token \(invalid_grant\)/],
  ])('fails, and stores nothing, if a server returns %s', async (_, behaviour, words) => {
    const servers = await startOAuthServers()
    Object.assign(servers.behaviour, behaviour)
    await expect(signInAt(servers)).rejects.toEqual(refused(words))
  })

  it.each([
    ['a user name', (at: string) => at.replace('http://', 'http://accounts.example@')],
    ['a query', (at: string) => `${at}/?accounts.example`],
    ['a fragment', (at: string) => `${at}/#accounts.example`],
  ])('does not start with an issuer that has %s: it could imitate another', async (_, posing) => {
    const servers = await startOAuthServers()
    const issuer = posing(servers.issuer)
    servers.behaviour.metadata = { issuer }
    servers.behaviour.resource = { authorization_servers: [issuer] }
    await expect(signInAt(servers)).rejects.toEqual(refused(/invalid issuer URL/))
    expect(servers.at).toEqual([])
  })

  it('names the server by its URL if it publishes no metadata', async () => {
    const servers = await startOAuthServers()
    const origin = new URL(servers.server).origin
    const own = { issuer: origin, token_endpoint: `${servers.issuer}/token` }
    servers.behaviour.own = {
      ...own,
      authorization_endpoint: `${servers.issuer}/authorize`,
      registration_endpoint: `${servers.issuer}/register`,
    }
    servers.behaviour.redirect = { iss: '' }
    const kept = await signInAt({ server: `${servers.server}` }, { confirm: async () => true })
    expect(kept.resource).toBe(servers.server)
    const [asked] = servers.at.filter(({ path }) => path.startsWith('/authorize'))
    expect(new URL(asked?.path ?? '', origin).searchParams.get('resource')).toBe(servers.server)
  })

  it('shows nothing from a redirect of another issuer', async () => {
    const servers = await startOAuthServers()
    servers.behaviour.redirect = { iss: 'https://evil.example', error: 'call_this_number' }
    await expect(signInAt(servers)).rejects.toEqual(
      expect.objectContaining({ message: expect.not.stringMatching(/evil|call_this/) }),
    )
  })

  it('never throws an error that contains a token, at any depth', async () => {
    const servers = await startOAuthServers()
    servers.behaviour.tokens = { token_type: 7 }
    const thrown: unknown = await signInAt(servers).catch((error: unknown) => error)
    expect(thrown).toEqual(refused(/issued no token/))
    const all = inspect(thrown, { depth: 10 })
    for (const secret of servers.secrets) expect(all).not.toContain(secret)
  })

  it.each([
    ['a refresh token', { refresh_token: 'r'.repeat(300_000) }],
    ['a scope', { scope: 's'.repeat(300_000) }],
  ])('stores nothing that would be too large to read: %s', async (_, tokens) => {
    const servers = await startOAuthServers()
    servers.behaviour.tokens = tokens
    await expect(signInAt(servers)).rejects.toEqual(refused(/too large/))
  })

  it('reports that there is nothing to sign in to', async () => {
    const open = await startScripted(({ path }, answer) => void answer.writeHead(path === '/mcp' ? 200 : 404).end())
    await expect(signInAt({ server: open.url })).rejects.toEqual(refused(/requires no sign-in/))
    const keyed = await startScripted(({ path }, answer) => void answer.writeHead(path === '/mcp' ? 401 : 404).end())
    await expect(signInAt({ server: keyed.url })).rejects.toEqual(refused(/--header/))
  })

  it('is not discovered at a URL that redirects elsewhere', async () => {
    const moved = await startScripted(
      (_, answer) => void answer.writeHead(308, { location: 'https://evil.example/' }).end(),
    )
    await expect(signInAt({ server: moved.url })).rejects.toEqual(refused(/answered 308.*check its URL/))
  })

  it.each<readonly [string, string, boolean]>([
    ['https://issuer.example/', 'https://mcp.example/mcp', true],
    ['http://127.0.0.1:1/', 'http://localhost:2/mcp', true],
    ['http://127.0.0.1:1/', 'https://mcp.example/mcp', false],
    ['http://issuer.example/', 'http://127.0.0.1:2/mcp', false],
    ['https://me:word@issuer.example/', 'https://mcp.example/mcp', false],
    ...[
      'localhost',
      'localhost.',
      'a.localhost',
      '127.8.9.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '[fe80::1]',
      '[fd00::1]',
      'printer',
      'printer.local',
    ].map((host): [string, string, boolean] => [`https://${host}/`, 'https://mcp.example/mcp', false]),
    ['https://10.1.2.3/', 'https://10.9.9.9/mcp', true],
    ['https://10.1.2.3/', 'http://127.0.0.1:2/mcp', true],
    ['https://localhost/', 'https://10.9.9.9/mcp', false],
    ['https://issuer.example/', 'https://10.9.9.9/mcp', true],
  ])('may contact %s for %s: %s', (place, server, may) => {
    expect(isAllowedUrl(new URL(place), new URL(server))).toBe(may)
  })

  it('does not start without TLS, except on this machine', () => {
    expect(() => readSignInUrl('http://mcp.example/mcp')).toThrow(/https/)
    expect(readSignInUrl('http://localhost:1/mcp#part').href).toBe('http://localhost:1/mcp')
    expect(readSignInUrl('https://MCP.example/mcp').href).toBe('https://mcp.example/mcp')
  })
})

describe('a stored sign-in', () => {
  it('is renewed where it was issued, and ends if the renewal is refused', async () => {
    const servers = await startOAuthServers()
    const kept = await signInAt(servers)
    const next = await renewSignIn(kept, 1_000)
    expect(next).toMatchObject({ url: kept.url, scope: kept.scope, expiresAt: 3_601_000 })
    expect(next === 'over' ? '' : next.refreshToken).not.toBe(kept.refreshToken)
    expect(await renewSignIn(kept, 1_000)).toBe('over')
    servers.behaviour.isDown = true
    await expect(renewSignIn(kept, 1_000)).rejects.toEqual(refused(/issued no token/))
  })

  it('is revoked if the server supports it', async () => {
    const servers = await startOAuthServers()
    const kept = await signInAt(servers)
    expect(await revokeSignIn(kept)).toBe(true)
    expect(servers.live.has(kept.accessToken)).toBe(false)
    expect(await renewSignIn(kept, 0)).toBe('over')
    expect(
      await revokeSignIn({ ...kept, authorizationServer: { ...kept.authorizationServer, revocationEndpoint: null } }),
    ).toBe(false)
  })
})
