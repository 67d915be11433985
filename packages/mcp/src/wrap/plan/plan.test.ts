import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHome } from '@countersign/node'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CLIENTS } from '../config/clients.ts'
import { readBackup } from '../entry/backups.ts'
import { findInstallation } from '../entry/installation.ts'
import { CONFIGS } from './client-configs.fixture.ts'
import { SECRET } from './config.fixture.ts'
import { innerOf, machine } from './machine.fixture.ts'
import { applyPlan } from './plan.ts'
import { planUnwrap } from './unwrap.ts'
import { planWrap } from './wrap.ts'

describe.each(CONFIGS)('the configuration of $client at $path', ({ client, path, text, wrapped, left }) => {
  it('is wrapped server by server, shows no secret, and is restored byte for byte', () => {
    const { write, placed, wrap, unwrap } = machine()
    const file = write(path, text)
    chmodSync(file, 0o640)
    const at = placed(client, path)
    const plan = wrap(at)
    expect(innerOf(at)).toEqual(wrapped)
    const why = plan.servers.flatMap((one) => (one.left === null ? [] : [[one.name, one.left] as const]))
    expect(why.map(([name]) => name)).toEqual(Object.keys(left))
    for (const [name, reason] of why) expect(reason).toContain(left[name])
    expect(JSON.stringify(plan.servers)).not.toContain(SECRET)
    expect(/\r\n/.test(text) && /(?<!\r)\n/.test(plan.after)).toBe(false)
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(unwrap(at)?.restores).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(statSync(file).mode & 0o777).toBe(0o640)
  })

  it('is not wrapped twice', () => {
    const { write, placed, wrap } = machine()
    const file = write(path, text)
    const at = placed(client, path)
    wrap(at)
    const once = readFileSync(file, 'utf8')
    expect(wrap(at).servers.every((one) => one.left !== null)).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(once)
  })

  it('keeps later additions, and its servers are restored', () => {
    const { write, placed, wrap, unwrap } = machine()
    const file = write(path, text)
    const at = placed(client, path)
    wrap(at)
    const note = at.place.format === 'toml' ? '# written since\n' : '// written since\n'
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^\ufeff?/, (mark) => mark + note),
    )
    expect(unwrap(at)?.restores).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe(text.replace(/^\ufeff?/, (mark) => mark + note))
  })

  it('can be repaired without its record, if a person names the servers', () => {
    const { write, placed, wrap, home, installation } = machine()
    write(path, text)
    const at = placed(client, path)
    wrap(at)
    const other = openHome(join(home.dir, '..', 'other'))
    const before = readFileSync(at.path, 'utf8')
    expect(planUnwrap(at, other, { installation, homes: [null], only: [] })?.after).toBe(before)
    const plan = planUnwrap(at, other, { installation, homes: [null], only: Object.keys(wrapped) })
    if (plan === undefined) throw new Error('nothing to unwrap')
    applyPlan(plan, other, 1)
    expect(innerOf(at)).toEqual({})
    expect(plan.servers.every((one) => one.left === null)).toBe(true)
    expect(wrap(at).servers.flatMap((one) => (one.left === null ? [one.name] : []))).toEqual(Object.keys(wrapped))
    expect(innerOf(at)).toEqual(wrapped)
  })
})

describe('wrapping', () => {
  /** Hand-made gates, and servers that only look like one. */
  const GATES = ['countersign mcp --', 'countersign mcp --name x', './countersign mcp --', 'npx countersign mcp --']
  const plainServer = fc.record(
    {
      command: fc.string({ minLength: 1 }),
      args: fc.array(fc.string()),
      env: fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        fc.string(),
      ),
      disabled: fc.boolean(),
      note: fc.jsonValue(),
    },
    { requiredKeys: ['command'] },
  )
  const gatedServer = fc
    .record({ gate: fc.constantFrom(...GATES), words: fc.array(fc.string()), disabled: fc.boolean() })
    .map(({ gate, words, disabled }) => {
      const [command, ...args] = [...gate.split(' '), ...words]
      return { command, args, disabled }
    })
  const JSON_SERVERS = fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    fc.oneof({ arbitrary: plainServer, weight: 3 }, gatedServer),
    { maxKeys: 5 },
  )

  it('restores any JSON byte for byte', () => {
    const { write, placed, wrap, unwrap } = machine()
    fc.assert(
      fc.property(JSON_SERVERS, fc.constantFrom(0, 1, 2, '\t'), fc.jsonValue(), (mcpServers, indent, other) => {
        const text = JSON.stringify({ other, mcpServers }, null, indent)
        const file = write('.cursor/mcp.json', text)
        const at = placed('cursor', '.cursor/mcp.json')
        const plan = wrap(at)
        const gated = plan.servers.filter(({ left }) => left === null || left === 'it is already behind the gate')
        expect(Object.keys(innerOf(at)).toSorted()).toEqual(gated.map(({ name }) => name).toSorted())
        unwrap(at)
        expect(readFileSync(file, 'utf8')).toBe(text)
      }),
      { numRuns: 100 },
    )
  })

  it('restores any TOML byte for byte', () => {
    const { write, placed, wrap, unwrap } = machine()
    const word = fc.string({ unit: 'grapheme-ascii', minLength: 1 })
    const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/)
    const line = fc
      .record({
        name: key,
        command: word,
        args: fc.array(word),
        inline: fc.boolean(),
        comment: word,
        gate: fc.option(fc.constantFrom(...GATES.map((one) => one.split(' ')))),
        enabled: fc.boolean(),
      })
      .map(({ gate, ...server }) => {
        const [command = '', ...args] = [...(gate ?? []), server.command, ...server.args]
        return { ...server, command, args }
      })
    fc.assert(
      fc.property(fc.uniqueArray(line, { selector: ({ name }) => name, maxLength: 5 }), (servers) => {
        const q = JSON.stringify
        const tables = servers
          .filter(({ inline }) => !inline)
          .map(
            ({ name, command, args, comment, enabled }) =>
              `[mcp_servers.${name}] # ${comment}\nargs = [\n${args.map((one) => `  ${q(one)}, # ${comment}\n`).join('')}]\ncommand = ${q(command)} # ${comment}\nenabled = ${enabled}\n`,
          )
        const inline = servers
          .filter((one) => one.inline)
          .map(
            ({ name, command, args, enabled }) =>
              `${name} = { command = ${q(command)}, args = ${q(args)}, enabled = ${enabled} }\n`,
          )
        const text = `a = 1\n[mcp_servers]\n${inline.join('')}${tables.join('\n')}`
        const file = write('.codex/config.toml', text)
        const at = placed('codex', '.codex/config.toml')
        const plan = wrap(at)
        const gated = plan.servers.filter(({ left }) => left === null || left === 'it is already behind the gate')
        expect(Object.keys(innerOf(at)).toSorted()).toEqual(gated.map(({ name }) => name).toSorted())
        unwrap(at)
        expect(readFileSync(file, 'utf8')).toBe(text)
      }),
      { numRuns: 60 },
    )
  })

  it('gives each server a unique name that policies can spell', () => {
    const { write, placed, wrap } = machine()
    write(
      'project/.mcp.json',
      '{"mcpServers":{"my server":{"command":"a"},"my/server":{"command":"b"},"*":{"command":"c"}}}',
    )
    const plan = wrap(placed('claude-code', 'project/.mcp.json'))
    expect(plan.servers.map(({ label }) => label)).toEqual(['my-server', 'my-server-2', 'server'])
  })

  it('wraps only the requested servers, and the others later, still restored as one', () => {
    const { write, placed, wrap, unwrap } = machine()
    const text = '{"mcpServers":{"a":{"command":"a"},"b":{"command":"b"}}}'
    const file = write('.cursor/mcp.json', text)
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at, { only: ['a'] })
    expect(innerOf(at)).toEqual({ a: 'a' })
    wrap(at)
    expect(innerOf(at)).toEqual({ a: 'a', b: 'b' })
    expect(unwrap(at)?.restores).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('unwraps a server that was edited later, and keeps the edit', () => {
    const { write, placed, wrap, unwrap } = machine()
    const file = write('.cursor/mcp.json', '{"mcpServers":{"a":{"command":"a","args":["x"]},"b":{"command":"b"}}}')
    const at = placed('cursor', '.cursor/mcp.json')
    wrap(at)
    writeFileSync(file, readFileSync(file, 'utf8').replace('"x"', '"x", "y"'))
    unwrap(at)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      mcpServers: { a: { command: 'a', args: ['x', 'y'] }, b: { command: 'b' } },
    })
  })

  it('does not replace a read-only file, and reports it beforehand', () => {
    const { write, placed, home, options } = machine()
    const text = '{"mcpServers":{"a":{"command":"a"}}}'
    const file = write('.cursor/mcp.json', text)
    chmodSync(file, 0o400)
    const plan = planWrap(placed('cursor', '.cursor/mcp.json'), home, options())
    expect(plan?.notes).toEqual(['it is read-only, so it will not be changed'])
    if (plan === undefined) throw new Error('no file')
    expect(() => applyPlan(plan, home, 1)).toThrow(expect.objectContaining({ code: 'CS_CLIENT_CONFIG' }))
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readBackup(home, file)).toBeUndefined()
  })

  it.each([
    [{ type: 'ws' }, 'the proxy does not support its transport `ws`'],
    [{ transport: 'ws' }, 'the proxy does not support its transport `ws`'],
    [{ type: 'SSE' }, null],
    [{ transport: 'sse' }, null],
  ])('skips an unsupported transport, by name: %j', (by, left) => {
    const { write, placed, wrap } = machine()
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { a: { ...by, url: 'https://a.example/mcp' } } }))
    expect(wrap(placed('cursor', '.cursor/mcp.json')).servers).toMatchObject([{ left }])
  })

  it.each([
    ['/home/a/.npm/_npx/1f2e/node_modules/countersign/bin/countersign.js', 1],
    ['/home/a/.cache/pnpm/dlx/1f2e/node_modules/countersign/bin/countersign.js', 1],
    ['/opt/countersign/bin/countersign.js', 0],
  ])('warns if its launcher may be deleted: %s', (script, notes) => {
    const { write, placed, options, home } = machine()
    write('.cursor/mcp.json', '{"mcpServers":{"a":{"command":"a"}}}')
    const installation = findInstallation({ node: '/usr/bin/node', nodeFlags: [], script, path: '' })
    const gates = { ...options().gates, installation }
    expect(planWrap(placed('cursor', '.cursor/mcp.json'), home, { ...options(), gates })?.notes).toHaveLength(notes)
  })

  it('skips servers with interleaved lines, and wraps the others', () => {
    const { write, placed, wrap, unwrap } = machine()
    const text =
      '[mcp_servers]\na.command = "x"\nb.command = "z"\nb.args = []\na.args = ["y"]\nc.command = "c"\nc.args = []\n'
    const file = write('.codex/config.toml', text)
    const at = placed('codex', '.codex/config.toml')
    const why = 'the syntax of its command cannot be edited safely'
    expect(wrap(at).servers.map(({ name, left }) => [name, left])).toEqual([
      ['a', why],
      ['b', null],
      ['c', null],
    ])
    unwrap(at)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('follows a link and keeps it', () => {
    const { folder, write, placed, wrap, launcher } = machine()
    const real = write('dotfiles/mcp.json', '{"mcpServers":{"a":{"command":"a"}}}')
    mkdirSync(join(folder, '.cursor'))
    symlinkSync(real, join(folder, '.cursor', 'mcp.json'))
    wrap(placed('cursor', '.cursor/mcp.json'))
    expect(lstatSync(join(folder, '.cursor', 'mcp.json')).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, 'utf8')).toContain(launcher)
  })

  it.each([
    ['not JSON', '{"mcpServers":'],
    ['an object with a duplicate key', '{"mcpServers":{"a":{"command":"a","command":"b"}}}'],
    ['a list', '[]'],
    ['too deeply nested', `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`],
  ])('leaves a file unchanged that is %s', (_, text) => {
    const { write, placed, options, home } = machine()
    write('.cursor/mcp.json', text)
    expect(() => planWrap(placed('cursor', '.cursor/mcp.json'), home, options())).toThrow(
      expect.objectContaining({ code: 'CS_CLIENT_CONFIG' }),
    )
  })

  it('does not overwrite a concurrent change by its client', () => {
    const { write, placed, home, options } = machine()
    const file = write('.cursor/mcp.json', '{"mcpServers":{"a":{"command":"a"}}}')
    const plan = planWrap(placed('cursor', '.cursor/mcp.json'), home, options())
    if (plan === undefined) throw new Error('no file')
    writeFileSync(file, '{}')
    expect(() => applyPlan(plan, home, 1)).toThrow(expect.objectContaining({ code: 'CS_STALE' }))
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  it('has one name for every client, and a tested file for each', () => {
    expect(new Set(CLIENTS.map(({ id }) => id)).size).toBe(CLIENTS.length)
    expect(new Set(CONFIGS.map(({ client }) => client))).toEqual(new Set(CLIENTS.map(({ id }) => id)))
  })
})
