import { readFileSync } from 'node:fs'
import { openCrypto } from '@countersign/node'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../../identity/server-identity.ts'
import { createCatalogue } from '../../pins/create-catalogue.ts'
import { machine } from './machine.fixture.ts'

const servers = (all: Record<string, string>): string =>
  JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(all).map(([name, command]) => [name, { command }])) })

/** The labels from wrapping one file. */
const labelsOf = ({ servers: all }: { readonly servers: readonly { readonly label: string | null }[] }) =>
  all.map(({ label }) => label)

describe('the label of a wrapped server', () => {
  it('differs from that of another server in another client’s file', () => {
    const { write, placed, wrap } = machine()
    write('.cursor/mcp.json', servers({ files: '/bin/a', same: '/bin/s' }))
    write('.gemini/settings.json', servers({ files: '/bin/b', same: '/bin/s' }))
    expect(labelsOf(wrap(placed('cursor', '.cursor/mcp.json')))).toEqual(['files', 'same'])
    expect(labelsOf(wrap(placed('gemini', '.gemini/settings.json')))).toEqual(['files-2', 'same'])
  })

  it('differs from that of another server wrapped at the same time', () => {
    const { write, placed, wrap, options } = machine()
    write('.cursor/mcp.json', servers({ files: '/bin/a' }))
    write('.gemini/settings.json', servers({ Files: '/bin/b' }))
    const { labels } = options()
    expect(labelsOf(wrap(placed('cursor', '.cursor/mcp.json'), { labels }))).toEqual(['files'])
    expect(labelsOf(wrap(placed('gemini', '.gemini/settings.json'), { labels }))).toEqual(['Files-2'])
  })

  it('differs from that of a server wrapped earlier in the same file', () => {
    const { write, placed, wrap } = machine()
    write('.cursor/mcp.json', servers({ 'git hub': 'a', 'git-hub': 'b' }))
    const at = placed('cursor', '.cursor/mcp.json')
    expect(labelsOf(wrap(at, { only: ['git hub'] }))).toEqual(['git-hub', null])
    expect(labelsOf(wrap(at, { only: ['git-hub'] }))).toEqual([null, 'git-hub-2'])
  })

  it('differs from one with accepted tools of another server, and is kept by its own', async () => {
    const { write, placed, wrap, unwrap, home } = machine()
    const crypto = openCrypto(home)
    const server = serverIdentity({ command: ['/bin/a'] }, crypto)
    const met = createCatalogue({ home, label: 'files', server, crypto, now: () => 1, report: () => {} })
    await met.take({ tools: [{ name: 'read', inputSchema: { type: 'object' } }] }, { cursor: null })
    write('.cursor/mcp.json', servers({ files: '/bin/b' }))
    const at = placed('cursor', '.cursor/mcp.json')
    expect(labelsOf(wrap(at))).toEqual(['files-2'])
    unwrap(at)
    write('.cursor/mcp.json', servers({ files: '/bin/a' }))
    expect(labelsOf(wrap(at))).toEqual(['files'])
  })
})

describe('the label of a server that depends on its folder', () => {
  const command = ['node', 'server.mjs']

  async function met() {
    const made = machine()
    const crypto = openCrypto(made.home)
    const server = serverIdentity({ command }, crypto, '/srv/project')
    expect(server.folderless).not.toBeNull()
    const first = createCatalogue({ home: made.home, label: 'notes', server, crypto, now: () => 1, report: () => {} })
    await first.take({ tools: [{ name: 'read', inputSchema: { type: 'object' } }] }, { cursor: null })
    return made
  }

  it('stays the same after the first contact: its rules still apply', async () => {
    const { write, placed, wrap, unwrap } = await met()
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['server.mjs'] } } }))
    const at = placed('cursor', '.cursor/mcp.json')
    for (let turn = 0; turn < 2; turn += 1) {
      expect(labelsOf(wrap(at))).toEqual(['notes'])
      unwrap(at)
    }
  })

  it('is its own in a hand-made gate', async () => {
    const { write, placed, wrap } = await met()
    const notes = { command: 'countersign', args: ['mcp', '--name', 'notes', '--', ...command] }
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { notes } }))
    expect(wrap(placed('cursor', '.cursor/mcp.json')).servers).toMatchObject([
      { left: 'it is already behind the gate', notes: [] },
    ])
  })
})

describe('the label that a gate in a file gives itself', () => {
  const gate = (...args: readonly string[]) => ({ helper: { command: 'countersign', args: ['mcp', ...args] } })
  const PROJECT = 'project/.cursor/mcp.json'
  const OWN = '.cursor/mcp.json'
  const POSES: readonly [string, readonly string[]][] = [
    ['its own name', ['--name', 'GitHub', '--', 'node', 'evil.js']],
    ['the name of its program', ['--', './github', 'evil']],
    ['the name of its host', ['--url', 'https://github/mcp']],
  ]

  it.each(POSES)('takes no label from a person’s own server, and never gets its rules: %s', (_, args) => {
    const { write, placed, wrap, options, unwrap } = machine()
    write(OWN, servers({ github: '/bin/a' }))
    const text = JSON.stringify({ mcpServers: gate(...args) })
    const file = write(PROJECT, text)
    const { labels } = options()
    const [posing] = wrap(placed('cursor', PROJECT), { labels }).servers
    expect(posing).toMatchObject({ left: null, label: 'helper' })
    expect(posing?.notes).toEqual([
      expect.stringMatching(/^it looks like a gate, but its name `github` belongs to `github` in /i),
    ])
    const [own] = wrap(placed('cursor', OWN), { labels }).servers
    expect(own).toMatchObject({ label: 'github' })
    expect(own?.notes).toEqual([expect.stringMatching(/^`helper` in `.*` also uses the name `github`/)])
    expect(wrap(placed('cursor', PROJECT)).servers).toMatchObject([
      { left: 'it is already behind the gate', notes: [] },
    ])
    unwrap(placed('cursor', PROJECT))
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it.each(POSES)('does not take the label of a server wrapped earlier: %s', (_, args) => {
    const { write, placed, wrap } = machine()
    write(OWN, servers({ github: '/bin/a' }))
    wrap(placed('cursor', OWN))
    write(PROJECT, JSON.stringify({ mcpServers: gate(...args) }))
    expect(labelsOf(wrap(placed('cursor', PROJECT)))).toEqual(['helper'])
  })

  it('is not kept for being first if it came with a project', async () => {
    const { write, placed, wrap, home } = machine()
    const crypto = openCrypto(home)
    const server = serverIdentity({ command: ['evil'] }, crypto)
    const met = createCatalogue({ home, label: 'github', server, crypto, now: () => 1, report: () => {} })
    await met.take({ tools: [{ name: 'read', inputSchema: { type: 'object' } }] }, { cursor: null })
    write(OWN, servers({ github: '/bin/a' }))
    write(PROJECT, JSON.stringify({ mcpServers: gate('--name', 'github', '--', 'evil') }))
    expect(labelsOf(wrap(placed('cursor', PROJECT)))).toEqual(['helper'])
    expect(labelsOf(wrap(placed('cursor', OWN)))).toEqual(['github-2'])
  })

  it('is kept if it is unique, and reported if it differs from the client’s name', () => {
    const { write, placed, wrap } = machine()
    write(OWN, JSON.stringify({ mcpServers: gate('--name', 'other', '--', 'x') }))
    write(PROJECT, servers({ other: '/bin/evil' }))
    const said = '`wrap` did not write this gate: its file names the server `other`, so the rules for that name apply'
    expect(wrap(placed('cursor', OWN)).servers).toMatchObject([
      { left: 'it is already behind the gate', notes: [said] },
    ])
    expect(labelsOf(wrap(placed('cursor', PROJECT)))).toEqual(['other-2'])
  })
})

describe('the label of a project’s server', () => {
  it('differs from that of a server in the person’s own files, even if that is not wrapped yet', () => {
    const { write, placed, wrap, options } = machine()
    write('project/.mcp.json', servers({ GitHub: '/bin/evil', same: '/bin/s' }))
    write('.cursor/mcp.json', servers({ github: '/bin/a', same: '/bin/s' }))
    const { labels } = options()
    expect(labelsOf(wrap(placed('claude-code', 'project/.mcp.json'), { labels }))).toEqual(['GitHub-2', 'same'])
    expect(labelsOf(wrap(placed('cursor', '.cursor/mcp.json'), { labels }))).toEqual(['github', 'same'])
  })
})
