import { readFileSync } from 'node:fs'
import { openCrypto } from '@countersign/node'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../../identity/server-identity.ts'
import { createCatalogue } from '../../pins/create-catalogue.ts'
import { machine } from './machine.fixture.ts'

const servers = (all: Record<string, string>): string =>
  JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(all).map(([name, command]) => [name, { command }])) })

/** The labels that wrapping one file gave. */
const labelsOf = ({ servers: all }: { readonly servers: readonly { readonly label: string | null }[] }) =>
  all.map(({ label }) => label)

describe('the name of a wrapped server', () => {
  it('is not that of another server in another client’s file', () => {
    const { write, placed, wrap } = machine()
    write('.cursor/mcp.json', servers({ files: '/bin/a', same: '/bin/s' }))
    write('.gemini/settings.json', servers({ files: '/bin/b', same: '/bin/s' }))
    expect(labelsOf(wrap(placed('cursor', '.cursor/mcp.json')))).toEqual(['files', 'same'])
    expect(labelsOf(wrap(placed('gemini', '.gemini/settings.json')))).toEqual(['files-2', 'same'])
  })

  it('is not that of another server, when both are wrapped at once', () => {
    const { write, placed, wrap, options } = machine()
    write('.cursor/mcp.json', servers({ files: '/bin/a' }))
    write('.gemini/settings.json', servers({ Files: '/bin/b' }))
    const { labels } = options()
    expect(labelsOf(wrap(placed('cursor', '.cursor/mcp.json'), { labels }))).toEqual(['files'])
    expect(labelsOf(wrap(placed('gemini', '.gemini/settings.json'), { labels }))).toEqual(['Files-2'])
  })

  it('is not that of one which was wrapped before in the same file', () => {
    const { write, placed, wrap } = machine()
    write('.cursor/mcp.json', servers({ 'git hub': 'a', 'git-hub': 'b' }))
    const at = placed('cursor', '.cursor/mcp.json')
    expect(labelsOf(wrap(at, { only: ['git hub'] }))).toEqual(['git-hub', null])
    expect(labelsOf(wrap(at, { only: ['git-hub'] }))).toEqual([null, 'git-hub-2'])
  })

  it('is not one that tools of another server were accepted under, and is kept by its own', async () => {
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

describe('the name of a server that is another one in another folder', () => {
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

  it('is the same once it was met: rules that were written for it still hold', async () => {
    const { write, placed, wrap, unwrap } = await met()
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { notes: { command: 'node', args: ['server.mjs'] } } }))
    const at = placed('cursor', '.cursor/mcp.json')
    for (let turn = 0; turn < 2; turn += 1) {
      expect(labelsOf(wrap(at))).toEqual(['notes'])
      unwrap(at)
    }
  })

  it('is its own in a gate that a person made', async () => {
    const { write, placed, wrap } = await met()
    const notes = { command: 'countersign', args: ['mcp', '--name', 'notes', '--', ...command] }
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { notes } }))
    expect(wrap(placed('cursor', '.cursor/mcp.json')).servers).toMatchObject([
      { left: 'it is already behind the gate', notes: [] },
    ])
  })
})

describe('the name that a gate in a file has given itself', () => {
  const gate = (...args: readonly string[]) => ({ helper: { command: 'countersign', args: ['mcp', ...args] } })
  const PROJECT = 'project/.cursor/mcp.json'
  const OWN = '.cursor/mcp.json'
  const POSES: readonly [string, readonly string[]][] = [
    ['a name of its own', ['--name', 'GitHub', '--', 'node', 'evil.js']],
    ['the name of its program', ['--', './github', 'evil']],
    ['the name of its host', ['--url', 'https://github/mcp']],
  ]

  it.each(POSES)('takes none from a server of the person’s own, and gets its rules in no way: %s', (_, args) => {
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

  it.each(POSES)('does not take that of one which was wrapped before: %s', (_, args) => {
    const { write, placed, wrap } = machine()
    write(OWN, servers({ github: '/bin/a' }))
    wrap(placed('cursor', OWN))
    write(PROJECT, JSON.stringify({ mcpServers: gate(...args) }))
    expect(labelsOf(wrap(placed('cursor', PROJECT)))).toEqual(['helper'])
  })

  it('does not have it for having been met first, where it came with a project', async () => {
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

  it('is kept where nobody else has it, and said where it is not what the client calls it', () => {
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

describe('the name of a project’s server', () => {
  it('is not that of one in the person’s own files, also when that is not wrapped yet', () => {
    const { write, placed, wrap, options } = machine()
    write('project/.mcp.json', servers({ GitHub: '/bin/evil', same: '/bin/s' }))
    write('.cursor/mcp.json', servers({ github: '/bin/a', same: '/bin/s' }))
    const { labels } = options()
    expect(labelsOf(wrap(placed('claude-code', 'project/.mcp.json'), { labels }))).toEqual(['GitHub-2', 'same'])
    expect(labelsOf(wrap(placed('cursor', '.cursor/mcp.json'), { labels }))).toEqual(['github', 'same'])
  })
})
