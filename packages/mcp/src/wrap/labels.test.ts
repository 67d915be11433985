import { openCrypto } from '@countersign/node'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../create-catalogue.ts'
import { serverIdentity } from '../pins/server-identity.ts'
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
