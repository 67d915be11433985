import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { innerOf, machine } from '../plan/machine.fixture.ts'
import type { ConfigPlan } from '../plan/plan.ts'

type Machine = ReturnType<typeof machine>
const CURSOR = '.cursor/mcp.json'

/** Writes one server in Cursor's format. */
function withServer(server: object | ((on: Machine) => object)) {
  const on = machine()
  const entry = typeof server === 'function' ? server(on) : server
  const file = on.write(CURSOR, JSON.stringify({ mcpServers: { s: entry } }))
  return { ...on, file, at: on.placed('cursor', CURSOR), text: () => readFileSync(file, 'utf8') }
}
const gated = (launcher: string) => ({ command: launcher, args: ['mcp', '--', 'x'] })
const UNTRUE = 'NODE_TLS_REJECT_UNAUTHORIZED'
const one = (plan: ConfigPlan | undefined) => plan?.servers[0]

describe('a fake gate', () => {
  it.each<[string, object | ((on: Machine) => object)]>([
    ['words for a shell', { command: 'sh', args: ['-c', 'exec evil', 'countersign', 'mcp', '--', 'x'] }],
    ['a program in the project', { command: './countersign', args: ['mcp', '--url', 'https://evil.example/mcp'] }],
    ['a program by absolute path', { command: '/srv/repo/countersign', args: ['mcp', '--name', 's', '--', 'x'] }],
    ['a package for npx', { command: 'npx', args: ['-y', 'countersign', 'mcp', '--', 'x'] }],
    [
      'this program with another home',
      ({ launcher }) => ({ command: launcher, args: ['mcp', '--home', './h', '--', 'x'] }),
    ],
    [
      'this program with another home first',
      ({ launcher }) => ({ command: launcher, args: ['--home=/h', 'mcp', 'x'] }),
    ],
    ['an unknown flag', ({ launcher }) => ({ command: launcher, args: ['mcp', '--eval', 'x', '--', 'x'] })],
    ['another subcommand', ({ launcher }) => ({ command: launcher, args: ['mcp', '--', 'tools', 'x'] })],
    ['this program without a server', ({ launcher }) => ({ command: launcher, args: ['mcp', '--name', 's'] })],
    ['this name with another PATH', { command: 'countersign', args: ['mcp', '--', 'x'], env: { PATH: './bin' } }],
    ['this script, with Node from another PATH', ({ launcher }) => ({ ...gated(launcher), env: { PATH: './bin' } })],
    [
      'this program with another certificate authority',
      ({ launcher }) => ({ ...gated(launcher), env: { OPENSSL_CONF: 'x' } }),
    ],
    ['this program without TLS checks', ({ launcher }) => ({ ...gated(launcher), env: { [UNTRUE]: '0' } })],
    [
      'a word that its client turns into a flag',
      ({ launcher }) => ({ command: launcher, args: ['mcp', '${X:---home=/evil}', '--', 'x'] }),
    ],
    [
      'a home from its client',
      ({ launcher }) => ({ command: launcher, args: ['mcp', '--home', '{env:X}', '--', 'x'] }),
    ],
    ['a name from its client', ({ launcher }) => ({ command: launcher, args: ['mcp', '--name=$X', '--', 'x'] })],
    ['a URL with a variable', () => ({ command: 'countersign', args: ['mcp', '--url', 'https://$X/mcp'] })],
    ['a command with a variable', () => ({ command: 'countersign', args: ['mcp', '--', '${X:-github}', 's'] })],
    ['an environment file that may set one', { command: 'countersign', args: ['mcp', '--', 'x'], envFile: '.env' }],
  ])('is wrapped like any server, with a note: %s', (_, server) => {
    const { at, wrap, unwrap, text } = withServer(server)
    const before = text()
    const planned = one(wrap(at))
    expect(planned).toMatchObject({ left: null, label: 's' })
    expect(planned?.notes[0]).toMatch(/^it looks like a gate, but .*; wrapped like any other server$/)
    expect(one(wrap(at))?.left).toBe('it is already behind the gate')
    unwrap(at)
    expect(text()).toBe(before)
  })

  it('is wrapped if it is another script called like ours, and never unwrapped', () => {
    const { at, wrap, unwrap, text } = withServer({
      command: 'tsx',
      args: ['src/entry.ts', 'mcp', '--url', 'http://h/'],
    })
    const before = text()
    expect(unwrap(at, ['s'])).toBeUndefined()
    expect(one(wrap(at))?.left).toBeNull()
    unwrap(at)
    expect(text()).toBe(before)
    expect(unwrap(at, ['s'])).toBeUndefined()
  })

  it('is wrapped if it is this program with other code loaded, and the cause is reported', () => {
    const env = { NODE_OPTIONS: '--import ./evil.mjs' }
    const { at, wrap } = withServer(({ launcher }) => ({ command: launcher, args: ['mcp', '--', 'x'], env }))
    expect(one(wrap(at))).toMatchObject({
      left: null,
      notes: [
        'it looks like a gate, but its `NODE_OPTIONS` can change what it does; wrapped like any other server',
        'its `NODE_OPTIONS` also affects the gate; check what it does',
      ],
    })
  })

  it('is a wrapped server whose separate environment table gained a code-loading variable', () => {
    const on = machine()
    const file = on.write('.codex/config.toml', '[mcp_servers.s]\ncommand = "x"\n[mcp_servers.s.env]\nA = "1"\n')
    const at = on.placed('codex', '.codex/config.toml')
    on.wrap(at)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text}B = "2"\n`)
    expect(one(on.wrap(at))?.left).toBe('it is already behind the gate')
    writeFileSync(file, `${text}NODE_OPTIONS = "--import ./evil.mjs"\n`)
    expect(one(on.wrap(at))).toMatchObject({
      left: null,
      notes: [expect.stringContaining('its `NODE_OPTIONS` can change what it does'), expect.any(String)],
    })
  })

  it.each(['url', 'httpUrl', 'serverUrl'])('does not hide a URL in `%s` behind a command', (key) => {
    const { at, wrap, text } = withServer(({ launcher }) => ({
      command: launcher,
      args: ['mcp', '--', 'x'],
      [key]: 'http://evil.example/mcp',
    }))
    const before = text()
    expect(one(wrap(at))?.left).toContain(`it has both \`command\` and \`${key}\``)
    expect(text()).toBe(before)
  })
})

describe('a real gate', () => {
  it.each<[string, (on: Machine) => object]>([
    ['the output of `wrap`', ({ launcher }) => ({ command: launcher, args: ['mcp', '--name', 's', '--', 'x'] })],
    ['a name that PATH resolves to this program', () => ({ command: 'countersign', args: ['mcp', '--', 'x'] })],
    [
      'with a placeholder for its client',
      () => ({ command: 'countersign', args: ['mcp', '--name', 's', '--', 'x', '${Y}'] }),
    ],
    ['without `--`', () => ({ command: 'countersign', args: ['mcp', '--name=s', 'x', '--name'] })],
    ['node and this script', ({ launcher }) => ({ command: process.execPath, args: [launcher, 'mcp', '--', 'x'] })],
    ['a URL', () => ({ command: 'countersign', args: ['mcp', '--name', 's', '--url', 'https://h.example/mcp'] })],
    [
      'a URL in the environment',
      () => ({ command: 'countersign', args: ['mcp', '--name', 's'], env: { COUNTERSIGN_MCP_URL: 'http://h' } }),
    ],
    [
      'a PATH, with Node by absolute path',
      ({ launcher }) => ({ command: process.execPath, args: [launcher, 'mcp', '--', 'x'], env: { PATH: '/usr/bin' } }),
    ],
    ['this home', ({ home }) => ({ command: 'countersign', args: ['--home', home.dir, 'mcp', '--', 'x'] })],
  ])('is left unchanged by both, whoever made it: %s', (_, server) => {
    const { at, wrap, unwrap, text } = withServer(server)
    const before = text()
    expect(one(wrap(at))).toMatchObject({ left: 'it is already behind the gate', notes: [] })
    expect(one(unwrap(at))?.left).toContain('`wrap` has no record of its gate')
    expect(text()).toBe(before)
    expect(one(unwrap(at, ['s']))?.notes).toEqual([expect.stringContaining('only the gate’s words')])
    expect(innerOf(at)).toEqual({})
    const inside = before.includes('"x"') ? { command: 'x' } : { url: expect.stringMatching(/^http/) }
    expect(JSON.parse(text()).mcpServers.s).toMatchObject(inside)
  })

  it('is recognised after this installation moved', () => {
    const { at, wrap, unwrap, text, options, installation } = withServer({ command: 'x' })
    const before = text()
    wrap(at)
    const moved = { ...installation, launchers: [], launcherFor: () => ['/new/countersign'] }
    const gates = { ...options().gates, installation: moved }
    expect(one(wrap(at, { gates }))?.left).toBe('it is already behind the gate')
    unwrap(at)
    expect(text()).toBe(before)
  })

  it('is reported if its program is gone, and can be unwrapped', () => {
    const { at, wrap, unwrap, text, launcher } = withServer({ command: 'x' })
    const before = text()
    wrap(at)
    rmSync(launcher)
    expect(one(wrap(at))?.left).toContain(`its gate cannot start because \`${launcher}\` no longer exists`)
    expect(unwrap(at)?.restores).toBe(true)
    expect(text()).toBe(before)
  })

  it('is not recognised after it was changed to another home', () => {
    const { at, wrap, text, file } = withServer({ command: 'x' })
    wrap(at)
    writeFileSync(file, text().replace('"--name"', '"--home", "/evil", "--name"'))
    expect(one(wrap(at))).toMatchObject({ left: null, notes: [expect.stringContaining('it uses another home')] })
  })

  it('reports requested flags that it does not have', () => {
    const { at, wrap } = withServer({ command: 'x' })
    wrap(at, { flags: ['--hold', 'pending'] })
    expect(one(wrap(at, { flags: ['--hold', 'pending'] }))?.left).toBe('it is already behind the gate')
    expect(one(wrap(at, { flags: ['--elicit', 'show'] }))?.left).toContain('with other flags')
  })

  it.each(['NODE_OPTIONS', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'NODE_EXTRA_CA_CERTS', 'PATH'])(
    'reports that `%s` also affects it',
    (name) => {
      const { at, wrap } = withServer({ command: 'x', env: { [name]: 'y' } })
      const said = `its \`${name}\` also affects the gate; check what it does`
      expect(one(wrap(at))).toMatchObject({ left: null, notes: [said] })
      expect(one(wrap(at))?.notes).toEqual([said])
    },
  )
})

describe('a disabled server', () => {
  it.each([{ disabled: true }, { enabled: false }])('is wrapped, and stays disabled: %j', (off) => {
    const { at, wrap, unwrap, text } = withServer({ command: 'x', ...off })
    const before = text()
    expect(one(wrap(at))).toMatchObject({ left: null, notes: ['it is disabled, and stays disabled'] })
    expect(JSON.parse(text()).mcpServers.s).toMatchObject(off)
    expect(innerOf(at)).toEqual({ s: 'x' })
    unwrap(at)
    expect(text()).toBe(before)
  })
})
