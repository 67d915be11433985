/** A server that requires a sign-in: from the sign-in on a terminal to calls through proxies, all in their own processes. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND, COMMAND_ENV } from '@countersign/testing/command/command'
import { findPtyMaker, onTerminal, startOnTerminal } from '@countersign/testing/command/pty'
import { spawnCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startOAuthServers } from '../../packages/mcp/src/sign-in/oauth-servers.fixture.ts'

const maker = findPtyMaker()

function place() {
  const folder = temporaryFolder()
  const [cwd, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  const rule = '{ id: notes, tool: "notes/get_note", supervision: automatic, up_to: high }'
  writeFileSync(join(home, 'policy.yaml'), `version: 1\nrules: [${rule}]\n`, { mode: 0o600 })
  return { cwd, home }
}

/** A proxy and its client. */
function startProxy(server: string, { cwd, home }: ReturnType<typeof place>) {
  const argv = [...COMMAND, 'mcp', '--home', home, '--name', 'notes', '--url', server]
  const child = spawn(process.execPath, argv, { cwd, env: COMMAND_ENV, stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve))
  let [heard, words] = ['', '']
  const looks = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk
    for (const look of looks) look()
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    words += chunk
  })
  let id = 0
  return {
    ended,
    child,
    said: () => heard + words,
    seenByAll: () => (process.platform === 'linux' ? readFileSync(`/proc/${child.pid}/cmdline`, 'utf8') : ''),
    ask(method: string, params: object): Promise<Record<string, unknown>> {
      id += 1
      const mine = id
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: mine, method, params })}\n`)
      return new Promise((resolve) => {
        const look = (): void => {
          const line = heard.split('\n').find((one) => one.includes(`"id":${mine},`) || one.includes(`"id":${mine}}`))
          if (line === undefined || !heard.includes(`${line}\n`)) return
          looks.delete(look)
          resolve(JSON.parse(line) as Record<string, unknown>)
        }
        looks.add(look)
        look()
      })
    },
  }
}

/** All files below a folder, as one text. */
function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

describe.skipIf(maker === null)(onTerminal('signing in to a server', maker), { timeout: 120_000 }, () => {
  it('lets proxies call the server, renew its token once, and exit, without exposing a token anywhere', async () => {
    if (maker === null) throw new Error('no terminal')
    const servers = await startOAuthServers()
    const at = place()
    const call = { name: 'get_note', arguments: {} }
    const ran = { result: { content: [{ text: 'ran get_note' }] } }
    const before = startProxy(servers.server, at)
    expect(await before.ask('initialize', {})).toMatchObject({
      error: {
        message: expect.stringContaining(`run \`countersign mcp sign-in ${servers.server} --home ${at.home}\``),
      },
    })

    const line = `countersign --home '${at.home}' mcp sign-in ${servers.server} --no-open`
    const terminal = startOnTerminal(line, maker, { cwd: at.cwd })
    onTestFinished(() => void terminal.child.kill('SIGKILL'))
    const screen = await terminal.shows('left (Ctrl+C to cancel)')
    const page = await fetch(/http:\S+\/authorize\S+/.exec(screen)?.[0] ?? '')
    expect(await page.text()).toContain('Go back to the terminal')
    expect(await terminal.ended).toMatchObject({ code: 0, screen: expect.stringContaining('renewed automatically') })

    const proxies = [before, startProxy(servers.server, at), startProxy(servers.server, at)]
    for (const proxy of proxies) expect(await proxy.ask('tools/call', call)).toMatchObject(ran)
    servers.expireAll()
    const renewed = await Promise.all(proxies.map((proxy) => proxy.ask('tools/call', call)))
    expect(renewed).toMatchObject([ran, ran, ran])
    expect(servers.renewals()).toBe(1)

    const told = proxies.map((proxy) => proxy.seenByAll()).join()
    const out = await spawnCli(['--home', at.home, 'mcp', 'sign-out', servers.server], at.cwd)
    expect(out).toMatchObject({ code: 0 })
    expect(servers.live.size).toBe(0)
    expect(await before.ask('tools/call', call)).toMatchObject({
      error: { message: expect.stringMatching(/^sign in first: run/) },
    })
    for (const proxy of proxies) proxy.child.stdin.end()
    expect(await Promise.all(proxies.map(({ ended }) => ended))).toEqual([0, 0, 0])
    const journal = await spawnCli(['--home', at.home, 'journal', 'export'], at.cwd)
    const seen = [told, terminal.raw(), out.stderr, journal.stdout, everythingIn(at.home)]
    const all = [...seen, ...proxies.map((proxy) => proxy.said())].join('\n')
    expect(servers.secrets.length).toBeGreaterThan(4)
    for (const secret of servers.secrets) expect(all).not.toContain(secret)
  })
})
