import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openHome } from '@countersign/node'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { keepBackup, readBackup } from '../entry/backups.ts'
import { innerOf, machine } from './machine.fixture.ts'
import { applyPlan } from './plan.ts'
import { planUnwrap } from './unwrap.ts'
import { planWrap } from './wrap.ts'

const ONE = `{
  "mcpServers": {
    "one": {   "command": "npx", "args": ["-y",  "one"] }
  }
}
`
/** A person's change between two runs of `wrap`. */
const withTwo = (text: string): string => text.replace(/\n {2}\}\n\}/, ',\n    "two": { "command": "two" }\n  }\n}')

describe('unwrapping', () => {
  it('also unwraps servers that were wrapped before another was added, and does not claim to restore the file', () => {
    const { write, placed, wrap, unwrap } = machine()
    const file = write('.cursor/mcp.json', ONE)
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    writeFileSync(file, withTwo(readFileSync(file, 'utf8')))
    wrap(at)
    expect(innerOf(at)).toEqual({ one: 'npx -y one', two: 'two' })
    const plan = unwrap(at)
    expect(innerOf(at)).toEqual({})
    expect(readFileSync(file, 'utf8')).toBe(withTwo(ONE))
    expect(plan?.restores).toBe(false)
    expect(plan?.servers.map(({ name, left }) => [name, left])).toEqual([
      ['one', null],
      ['two', null],
    ])
  })

  it('restores a file that an earlier version wrapped by the path of its script', () => {
    const { write, placed, unwrap, home, folder } = machine()
    const launcher = [process.execPath, join(folder, 'clone/packages/cli/bin/countersign.js')]
    const words = [launcher[1], 'mcp', '--name', 'one', '--', 'npx'].map((word) => `"${word}", `).join('')
    const before = '"command": "npx", "args": ["-y",  "one"]'
    const after = `"command": "${launcher[0]}", "args": [${words}"-y",  "one"]`
    const file = write('.cursor/mcp.json', ONE.replace(before, after))
    const environment = '6ba2d7ea0fa5a2b6ed7bf4a3a2ce1a9ad7cb44c3b9a93f3c9b4a43f1cf3dd9cb'
    const entries = [{ path: ['mcpServers', 'one'], launcher, before, after, environment }]
    keepBackup(home, { path: file, before: ONE, after: ONE.replace(before, after), entries, at: 1 })
    expect(unwrap(placed('cursor', '.cursor/mcp.json'))?.restores).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(ONE)
  })

  it('leaves a hand-made gate and its file unchanged, byte for byte', () => {
    const { write, placed, wrap, unwrap, home } = machine()
    const text = `{ "mcpServers": {
      "hand": {"command": "countersign",  "args": ["mcp", "--name", "hand", "--", "a"]},
      "two": { "command":"two" } } } // mine`
    const file = write('.cursor/mcp.json', text)
    const at = placed('cursor', '.cursor/mcp.json')
    expect(wrap(at).servers.map(({ left }) => left)).toEqual(['it is already behind the gate', null])
    const plan = unwrap(at)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(plan?.restores).toBe(true)
    expect(plan?.servers.map(({ left }) => left)).toEqual([
      '`wrap` has no record of its gate; to remove it, name it with `--server`',
      null,
    ])
    expect(readBackup(home, file)).toBeUndefined()
  })

  it('removes only its own words from an entry that a person changed, keeps the changes, and reports it', () => {
    const { write, placed, wrap, unwrap } = machine()
    const file = write(
      '.gemini/settings.json',
      '{"mcpServers":{"a":{"command":"a"},"b":{"url":"https://b.example/mcp","type":"streamable-http"},"c":{"command":"c"}}}',
    )
    const at = placed('gemini', '.gemini/settings.json')
    wrap(at, { only: ['a', 'c'] })
    const text = readFileSync(file, 'utf8')
      .replace('"--name", "a", "--", "a"', '"--name", "mine", "--hold", "pending", "--", "a", "more"')
      .replace('"c":{', '"renamed":{')
    writeFileSync(file, text)
    const plan = unwrap(at)
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers).toEqual({
      a: { command: 'a', args: ['more'] },
      b: { url: 'https://b.example/mcp', type: 'streamable-http' },
      renamed: { command: 'c' },
    })
    expect(plan?.servers.map(({ name, notes }) => [name, notes])).toEqual([
      ['a', ['it changed since it was wrapped: only the gate’s words are removed']],
      ['renamed', []],
    ])
  })

  it.each([[], ['a']])('does not remove the gate of another home: %j', (...only) => {
    const { write, placed, wrap, options, home, folder, installation } = machine()
    const text = '{"mcpServers":{"a":{"command":"x"}}}'
    const file = write('.cursor/mcp.json', text)
    const at = placed('cursor', '.cursor/mcp.json')
    const other = openHome(join(folder, 'other'))
    wrap(at, { home: home.dir })
    const inner = readFileSync(file, 'utf8')
    const gates = { installation, homes: [other.dir] }
    const again = planWrap(at, other, { ...options(), gates, home: other.dir })
    if (again === undefined) throw new Error('no file')
    applyPlan(again, other, 1)
    const both = readFileSync(file, 'utf8')
    const unwrapAs = (who: typeof home) => {
      const plan = planUnwrap(at, who, { installation, homes: [who.dir], only })
      if (plan !== undefined) applyPlan(plan, who, 1)
      return plan?.servers.map(({ left }) => left)
    }
    expect(unwrapAs(home)).toEqual([expect.stringContaining(`its gate belongs to the home \`${other.dir}\``)])
    expect(readFileSync(file, 'utf8')).toBe(both)
    expect(unwrapAs(other)).toEqual([null])
    expect(readFileSync(file, 'utf8')).toBe(inner)
    expect(unwrapAs(home)).toEqual([null])
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('restores the text of servers whose names were swapped', () => {
    const { write, placed, wrap, unwrap } = machine()
    const swap = (text: string): string => text.replace('"a":', '"?":').replace('"b":', '"a":').replace('"?":', '"b":')
    const text = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","args":[ "1" ]}}}'
    const file = write('.cursor/mcp.json', text)
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    writeFileSync(file, swap(readFileSync(file, 'utf8')))
    unwrap(at)
    expect(readFileSync(file, 'utf8')).toBe(swap(text))
  })

  it('restores a renamed server, even if another has its name and was wrapped later', () => {
    const { write, placed, wrap, unwrap, home } = machine()
    const file = write('.cursor/mcp.json', '{"mcpServers":{"a":{"command":"x"}}}')
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    const renamed = (text: string) => text.replace('{"a":', '{"a":{"command":"new"},"b":')
    writeFileSync(file, renamed(readFileSync(file, 'utf8')))
    wrap(at)
    expect(innerOf(at)).toEqual({ a: 'new', b: 'x' })
    unwrap(at)
    expect(readFileSync(file, 'utf8')).toBe(renamed('{"mcpServers":{"a":{"command":"x"}}}'))
    expect(readBackup(home, file)).toBeUndefined()
  })

  it('restores the key and type of a changed URL', () => {
    const { write, placed, wrap, unwrap } = machine()
    const server = { type: 'streamable-http', url: 'https://b.example/mcp', headers: { A: 'b' } }
    const file = write('.cursor/mcp.json', JSON.stringify({ mcpServers: { b: server } }))
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"b":{', '"b":{"timeout":5,'))
    unwrap(at)
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.b).toEqual({ timeout: 5, ...server })
  })

  it.each([
    { transport: 'sse', url: 'https://b.example/sse' },
    { url: 'https://b.example/sse', type: 'SSE' },
  ])('restores the transport marker of a changed server with the older transport: %o', (server) => {
    const { write, placed, wrap, unwrap } = machine()
    const file = write('.cursor/mcp.json', JSON.stringify({ mcpServers: { b: server } }))
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"b":{', '"b":{"timeout":5,'))
    const notes = ['it changed since it was wrapped: only the gate’s words are removed']
    expect(unwrap(at)?.servers).toMatchObject([{ isRestored: false, notes }])
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.b).toEqual({ timeout: 5, ...server })
  })

  it.each(['type', 'transport'])('reports which `%s` a URL has now, if the original is unknown', (kind) => {
    const { write, placed, unwrap } = machine()
    const gate = { command: 'countersign', args: ['mcp', '--name', 'b', '--url', 'https://b.example/sse'] }
    const file = write('.cursor/mcp.json', JSON.stringify({ mcpServers: { b: { [kind]: 'stdio', ...gate } } }))
    const [b] = unwrap(placed('cursor', '.cursor/mcp.json'), ['b'])?.servers ?? []
    expect(b?.notes).toContainEqual(expect.stringContaining(`its earlier \`${kind}\` is unknown`))
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.b).toEqual({
      [kind]: 'http',
      url: 'https://b.example/sse',
    })
  })

  it('restores the client’s variables in a changed entry, which the gate knew only by name', () => {
    const { write, placed, wrap, unwrap } = machine()
    const lines = (more: string) =>
      `[mcp_servers.s]\nbearer_token_env_var = "T"\nurl = "https://s.example/mcp"\nenv_http_headers = { X = "U" }\n${more}`
    const file = write('.codex/config.toml', lines(''))
    const at = placed('codex', '.codex/config.toml')
    wrap(at)
    const words = ['--header-env', 'Authorization: Bearer T', '--header-env', 'X: U', '--url', 'https://s.example/mcp']
    const wrapped = parse(readFileSync(file, 'utf8')) as { mcp_servers: { s: { args: string[]; env_vars: string[] } } }
    expect(wrapped.mcp_servers.s.args.slice(-words.length)).toEqual(words)
    expect(wrapped.mcp_servers.s.env_vars).toEqual(['T', 'U'])
    writeFileSync(file, `${readFileSync(file, 'utf8')}enabled = true\n`)
    unwrap(at)
    expect(parse(readFileSync(file, 'utf8'))).toEqual(parse(lines('enabled = true\n')))
  })

  it('reports a gate it cannot recognise, and ignores an entry that is no longer a gate', () => {
    const { write, placed, wrap, unwrap, launcher } = machine()
    const file = write('.cursor/mcp.json', '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}')
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    const plain = '"b":{"command":"other"}'
    const text = `{"mcpServers":{"a":{"command":"sh","args":["${launcher}","mcp","--","a"]},${plain}}}`
    writeFileSync(file, text)
    expect(unwrap(at)?.servers.map(({ name, left }) => [name, left])).toEqual([
      ['a', expect.stringContaining('the gate’s part of it is unclear')],
    ])
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('unwraps one server by name, and the rest later, byte for byte', () => {
    const { write, placed, wrap, unwrap, home } = machine()
    const file = write('.cursor/mcp.json', withTwo(ONE))
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    unwrap(at, ['one'])
    expect(innerOf(at)).toEqual({ two: 'two' })
    expect(readBackup(home, file)?.entries.map(({ path }) => path.at(-1))).toEqual(['two'])
    unwrap(at)
    expect(readFileSync(file, 'utf8')).toBe(withTwo(ONE))
    expect(readBackup(home, file)).toBeUndefined()
  })

  it.each([
    ['contains a server behind the gate', (before: string) => before],
    ['contains another server', () => ONE.replace('"one"] }', '"one"] }, "evil": { "command": "evil" }')],
    ['is unreadable', () => '{'],
  ])('does not restore a copy that %s', (_, copyOf) => {
    const { write, placed, wrap, unwrap, home } = machine()
    const file = write('.cursor/mcp.json', ONE)
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    const text = readFileSync(file, 'utf8')
    keepBackup(home, { path: file, before: 'else', after: 'else', entries: [], at: 1 })
    keepBackup(home, { path: file, before: copyOf(text), after: text, entries: [], at: 1 })
    expect(unwrap(at)?.restores).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe(ONE)
  })

  it('keeps its copy if a file cannot be written, and leaves nothing next to the file', () => {
    const { write, placed, wrap, unwrap, home, options } = machine()
    const file = write('.cursor/mcp.json', withTwo(ONE))
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at, { only: ['one'] })
    const before = readBackup(home, file)
    const plan = planWrap(at, home, options())
    if (plan === undefined) throw new Error('no file')
    chmodSync(dirname(file), 0o500)
    if (process.getuid?.() === 0) writeFileSync(file, readFileSync(file, 'utf8').replace('"one"', '"1"'))
    expect(() => applyPlan(plan, home, 1)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^CS_(?:CLIENT_CONFIG|STALE)$/) }),
    )
    chmodSync(dirname(file), 0o700)
    expect(readBackup(home, file)).toEqual(before)
    expect(readdirSync(dirname(file))).toEqual(['mcp.json'])
    unwrap(at)
    expect(innerOf(at)).toEqual({})
  })
})

describe('a duplicate key', () => {
  const SERVERS = '"mcp": { "servers": { "s": { "command": "x" } } }'

  it.each([
    ['next to the servers', `{ "a": 1, "a": 2, ${SERVERS} }`],
    ['in another setting', `{ "a": { "b": 1, "b": 2 }, ${SERVERS} }`],
    ['next to them in their own setting', '{ "mcp": { "x": 1, "x": 2, "servers": { "s": { "command": "x" } } } }'],
  ])('is ignored %s', (_, text) => {
    const { write, placed, wrap, unwrap } = machine()
    const file = write('.config/Code/User/settings.json', text)
    const at = placed('vscode', '.config/Code/User/settings.json')
    wrap(at)
    expect(innerOf(at)).toEqual({ s: 'x' })
    expect(unwrap(at)?.restores).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it.each([
    ['on the path to the servers', `{ "mcp": {}, ${SERVERS} }`],
    ['as the servers', '{ "mcp": { "servers": {}, "servers": { "s": { "command": "x" } } } }'],
    ['as a server', '{ "mcp": { "servers": { "s": { "command": "y" }, "s": { "command": "x" } } } }'],
    ['in a server', '{ "mcp": { "servers": { "s": { "command": "x", "env": { "A": "1", "A": "2" } } } } }'],
  ])('is refused %s', (_, text) => {
    const { write, placed, options, home } = machine()
    write('.config/Code/User/settings.json', text)
    expect(() => planWrap(placed('vscode', '.config/Code/User/settings.json'), home, options())).toThrow('twice')
  })
})
