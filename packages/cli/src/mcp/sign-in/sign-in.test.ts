import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunOptions, runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { type OAuthServers, startOAuthServers } from '../../../../mcp/src/sign-in/oauth-servers.fixture.ts'

/** A home, a folder, and a desktop whose link opener records its arguments. */
function person() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  for (const path of Object.values(at)) mkdirSync(path, { mode: 0o700 })
  const notes = join(folder, 'notes')
  const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open')
  writeFileSync(
    opener,
    `#!/bin/sh\nprintf '%s' "$*" > '${notes}.part'\ncat "$1" > '${notes}.page'\nmv '${notes}.part' '${notes}'\n`,
  )
  chmodSync(opener, 0o755)
  const env = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0' }
  return {
    ...at,
    run: (words: readonly string[], more: Partial<RunOptions> = {}) =>
      runInProcess(['mcp', ...words], { ...at, columns: 200, env, ...more }),
    /** The browser: opens the page and follows its redirects. */
    async browse() {
      await expect.poll(() => existsSync(notes)).toBe(true)
      const page = readFileSync(`${notes}.page`, 'utf8')
      const link = (/url=([^"]+)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&')
      return { link, argument: readFileSync(notes, 'utf8'), status: (await fetch(link)).status }
    },
  }
}

async function signedIn(servers: OAuthServers) {
  const at = person()
  const running = at.run(['sign-in', servers.server])
  return { ...at, browsed: await at.browse(), ran: await running }
}

describe('countersign mcp sign-in', () => {
  it('opens the page, waits, and reports issuer, scope and expiry, and never a token', async () => {
    const servers = await startOAuthServers()
    const { browsed, ran } = await signedIn(servers)
    expect(ran).toMatchObject({ code: 0, stdout: `${browsed.link}\n` })
    expect(browsed.status).toBe(200)
    const at = servers.issuer
    expect(ran.stderr).toContain(`Sign in to ${servers.server} at ${at}. Your consent there goes to ${at}:`)
    expect(ran.stderr).toMatch(/waiting for you in the browser, 5:00 left \(Ctrl\+C to cancel\)/)
    expect(ran.stderr).toMatch(/signed in to \S+ at \S+, until \d{4}-.* \(renewed automatically\)/)
    expect(ran.stderr).toContain('scope: notes:read')
    const state = new URL(browsed.link).searchParams.get('state') ?? 'none'
    expect(browsed.argument).not.toContain(state)
    for (const secret of servers.secrets) expect(ran.stdout + ran.stderr).not.toContain(secret)
  })

  it('is journaled, without a token', async () => {
    const servers = await startOAuthServers()
    const { cwd, home } = await signedIn(servers)
    const { stdout } = await runInProcess(['journal', 'tail'], { cwd, home })
    expect(stdout).toMatch(new RegExp(`server-signed-in .*${servers.server} at ${servers.issuer} by `))
    const { stdout: all } = await runInProcess(['journal', 'export'], { cwd, home })
    expect(all).toContain('"scope":"notes:read"')
    for (const secret of servers.secrets) expect(all).not.toContain(secret)
  })

  it('asks if the sign-in page and the code’s destination have different hosts, and continues only if that host is typed', async () => {
    const [honest, evil] = [await startOAuthServers(), await startOAuthServers()]
    const borrowed = {
      authorization_endpoint: `${honest.issuer}/authorize`,
      registration_endpoint: `${honest.issuer}/register`,
    }
    evil.behaviour.metadata = borrowed
    const { host } = new URL(evil.issuer)
    const words = ['sign-in', evil.server, '--no-open', '--wait', '1s']
    for (const input of ['', '\n', 'yes\n', `${new URL(honest.issuer).host}\n`]) {
      const ran = await person().run(words, { input })
      expect(ran.stderr).toContain(`  consent page          ${honest.issuer}\n`)
      expect(ran.stderr).toContain(`  token endpoint        ${evil.issuer}\n`)
      expect(ran.stderr).toMatch(/the hosts were not confirmed.*\[CS_MCP_SIGN_IN\]/)
      expect(ran.stdout).toBe('')
    }
    expect(honest.at).toEqual([])
    const typed = await person().run(words, { input: `${host}\n` })
    expect(typed.stdout).toContain(`${honest.issuer}/authorize?`)
    expect(typed.stderr).toContain(
      `at ${honest.issuer}, for ${evil.issuer}. Your consent there goes to ${evil.issuer}:`,
    )
    const named = await person().run([...words, '--allow-host', new URL(honest.issuer).host])
    expect(named.stdout).toContain(`${honest.issuer}/authorize?`)
  })

  it('uses a person’s own client only with the issuer that they name or confirm', async () => {
    const servers = await startOAuthServers()
    const words = ['sign-in', servers.server, '--client-id', 'mine', '--no-open', '--wait', '1s']
    const asked = await person().run(words)
    expect(asked.stderr).toContain('names the hosts that will receive your client id, and its secret if it has one:')
    expect(asked.stderr).toContain('[CS_MCP_SIGN_IN]')
    const other = await person().run([...words, '--issuer', 'https://issuer.example'])
    expect(other.stderr).toMatch(/which is not the issuer you named \[CS_MCP_SIGN_IN\]/)
    expect([asked.stdout, other.stdout]).toEqual(['', ''])
    for (const more of [
      ['--issuer', servers.issuer],
      ['--issuer', `${servers.issuer}/`],
    ])
      expect((await person().run([...words, ...more])).stdout).toContain('client_id=mine')
    const typed = await person().run(words, { input: `${new URL(servers.issuer).host}\n` })
    expect(typed.stdout).toContain('client_id=mine')
  })

  it('times out, and stores nothing', async () => {
    const servers = await startOAuthServers()
    const { run, home } = person()
    const ran = await run(['sign-in', servers.server, '--no-open', '--wait', '1s'])
    expect(ran.code).toBe(125)
    expect(ran.stderr).toMatch(/timed out, and nothing was stored; run it again \[CS_MCP_SIGN_IN\]/)
    expect(existsSync(join(home, 'mcp'))).toBe(false)
  })

  it('reports the authorization server’s refusal, and stores nothing', async () => {
    const servers = await startOAuthServers()
    servers.behaviour.redirect = { error: 'access_denied' }
    const { ran, home } = await signedIn(servers)
    expect(ran.stderr).toMatch(/refused the sign-in \(access_denied\); nothing was stored \[CS_MCP_SIGN_IN\]/)
    expect(existsSync(join(home, 'mcp'))).toBe(false)
  })

  it.each([
    [['http://mcp.example/mcp'], {}, 'CS_MCP_SIGN_IN'],
    [['mcp.example'], {}, 'CS_USAGE'],
    [[], {}, 'CS_USAGE'],
    [['http://127.0.0.1:9/mcp', '--wait', 'long'], {}, 'CS_USAGE'],
    [['http://127.0.0.1:9/mcp', '--port', '70000'], {}, 'CS_USAGE'],
    [['http://127.0.0.1:9/mcp'], {}, 'CS_MCP_SIGN_IN'],
    [['http://127.0.0.1:9/mcp'], { env: { COUNTERSIGN_INSIDE: 'mcp notes' } }, 'CS_DENIED'],
  ])('refuses %j with %j', async (words, more, code) => {
    expect((await person().run(['sign-in', ...words], more)).stderr).toContain(`[${code}]`)
  })

  it('needs a person on a terminal, and agents cannot sign out either', async () => {
    const { cwd, home } = person()
    const address = 'http://127.0.0.1:9/mcp'
    const piped = await runInProcess(['mcp', 'sign-in', address], { cwd, home })
    expect(piped.stderr).toContain('[CS_NO_INTERFACE]')
    const inside = { cwd, home, env: { COUNTERSIGN_INSIDE: 'mcp notes' } }
    expect((await runInProcess(['mcp', 'sign-out', address], inside)).stderr).toContain('[CS_DENIED]')
  })

  it('reads a secret URL from the variable, and masks it', async () => {
    const servers = await startOAuthServers()
    const { run } = person()
    const env = { COUNTERSIGN_MCP_URL: `${servers.server}?key=hidden` }
    const ran = await run(['sign-in', '--no-open', '--wait', '1s'], { env })
    expect(ran.stderr).toContain('/mcp?… at ')
    expect(ran.stdout + ran.stderr).not.toContain('hidden')
  })
})

describe('countersign mcp sign-out', () => {
  it('revokes the tokens at the server, and deletes them here', async () => {
    const servers = await startOAuthServers()
    const { run } = await signedIn(servers)
    expect(servers.live.size).toBe(1)
    expect(await run(['sign-out', servers.server])).toMatchObject({
      code: 0,
      stderr: `signed out of ${servers.server}\n`,
    })
    expect(servers.live.size).toBe(0)
    expect((await run(['sign-out', servers.server])).stderr).toBe(`not signed in to ${servers.server}\n`)
  })

  it('reports what is left to do if they cannot be revoked', async () => {
    const servers = await startOAuthServers()
    servers.behaviour.metadata = { revocation_endpoint: undefined }
    const { run } = await signedIn(servers)
    const { stdout } = await run(['sign-out', servers.server, '--json'])
    expect(JSON.parse(stdout)).toEqual({ server: servers.server, signedOut: true, revoked: 'not-offered' })
  })
})
