/**
 * The `json` blocks of the MCP guides are client configurations. Each of their servers is started as the client would
 * start it, with stand-ins for `npx` and the network.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { COMMAND, COMMAND_ENV } from '@countersign/testing/command/command'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSmallHttpServer } from '../../packages/mcp/src/http/small-http-server.fixture.ts'
import { initialize, startPeer } from '../mcp/support/line-peer.ts'
import { RECORDING_SERVER } from '../mcp/support/relay-home.ts'
import { type Block, blocksOf } from './pages.ts'

const COUNTERSIGN = [process.execPath, ...COMMAND]

interface Entry {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const blocks = ['docs/guides/mcp.md', 'docs/guides/mcp-wrap.md'].flatMap((page) =>
  blocksOf(page).filter(({ language }) => language === 'json'),
)
const servers = blocks.flatMap((block) =>
  Object.entries(serversOf(block)).map(([name, entry]) => ({ at: `${block.page}:${block.line}`, name, entry })),
)

function serversOf({ text }: Block): Readonly<Record<string, Entry>> {
  return (JSON.parse(text) as { readonly mcpServers: Readonly<Record<string, Entry>> }).mcpServers
}

/** A folder to put first in PATH, with programs that run others. */
function programs(folder: string, all: Readonly<Record<string, readonly string[]>>): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const [name, words] of Object.entries(all)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
    chmodSync(join(bin, name), 0o755)
  }
  return `${bin}${delimiter}${process.env['PATH'] ?? ''}`
}

describe('client configurations in the documentation', () => {
  it('exist, with every server behind the gate', () => {
    expect(servers.map(({ name }) => name)).toEqual(expect.arrayContaining(['files', 'tracker', 'search']))
    expect(servers.map(({ entry }) => [entry.command, entry.args[0]])).toEqual(
      servers.map(() => ['countersign', 'mcp']),
    )
  })

  it.each(servers)(
    'start $name of $at, and it lists its tools through the gate',
    async ({ entry }) => {
      const root = temporaryFolder()
      mkdirSync(join(root, 'project'))
      const far = await startSmallHttpServer()
      onTestFinished(() => far.close())
      const here = (text: string): string => text.replace(/^https:\/\/[\w.-]+\.example\/mcp/, far.url)
      const peer = startPeer({
        argv: [entry.command, ...entry.args.map(here)],
        cwd: join(root, 'project'),
        env: {
          ...COMMAND_ENV,
          ...Object.fromEntries(Object.entries(entry.env ?? {}).map(([name, value]) => [name, here(value)])),
          PATH: programs(root, { countersign: [...COUNTERSIGN, '--home', join(root, 'home')], npx: RECORDING_SERVER }),
        },
      })
      await initialize(peer)
      const { result } = await peer.ask({ id: 'list', method: 'tools/list' })
      expect(result.tools.length).toBeGreaterThan(0)
      const isFar = far.seen.length > 0
      expect(isFar).toBe([...entry.args, ...Object.values(entry.env ?? {})].some((word) => word.startsWith('https:')))
      await peer.end()
    },
    60_000,
  )
})
