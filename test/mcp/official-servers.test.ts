import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasServers, SERVERS } from './support/conformance.ts'
import { type ClientScript, driveClient, inspect } from './support/drive-client.ts'
import type { Command } from './support/line-peer.ts'
import { ALLOW_ALL, openRelayHome, type RelayHome } from './support/relay-home.ts'

type Calls = ClientScript['calls']

interface Official {
  readonly label: string
  readonly file: string
  readonly args?: (folder: string) => readonly string[]
  readonly env?: (folder: string) => NodeJS.ProcessEnv
  readonly calls: (folder: string) => Calls
  /** One call for the Inspector's command line: the tool, and its arguments as `name=value`. */
  readonly typed: (folder: string) => readonly [tool: string, ...args: string[]]
}

const call = (name: string, args: Calls[number]['arguments'] = {}): Calls[number] => ({ name, arguments: args })
const ANT = { name: 'ant', entityType: 'insect', observations: ['small'] }

const OFFICIAL: readonly Official[] = [
  {
    label: 'everything',
    file: '@modelcontextprotocol/server-everything/dist/index.js',
    calls: () => [
      call('echo', { message: 'hello \u2028 “world” 🪢' }),
      call('get-sum', { a: 2, b: 40 }),
      call('get-tiny-image'),
      call('get-annotated-message', { messageType: 'error', includeImage: true }),
      call('get-structured-content', { location: 'Chicago' }),
      call('get-resource-links', { count: 2 }),
      // Steps far apart, since the SDK's client drops progress that it reads together with the response.
      call('trigger-long-running-operation', { duration: 1, steps: 4 }),
      call('get-roots-list'),
      call('trigger-elicitation-request'),
      call('trigger-sampling-request', { prompt: 'say something', maxTokens: 10 }),
      call('get-sum', { a: 'no number', b: 1 }),
    ],
    typed: () => ['echo', 'message=hi'],
  },
  {
    label: 'filesystem',
    file: '@modelcontextprotocol/server-filesystem/dist/index.js',
    args: (folder) => [folder],
    calls: (folder) => [
      call('write_file', { path: join(folder, 'a.txt'), content: 'one\ntwo\n' }),
      call('edit_file', { path: join(folder, 'a.txt'), edits: [{ oldText: 'two', newText: 'three' }] }),
      call('read_text_file', { path: join(folder, 'a.txt') }),
      call('list_directory', { path: folder }),
      call('read_text_file', { path: join(folder, '../outside') }),
    ],
    typed: (folder) => ['write_file', `path=${join(folder, 'b.txt')}`, 'content=typed'],
  },
  {
    label: 'memory',
    file: '@modelcontextprotocol/server-memory/dist/index.js',
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    calls: () => [
      call('create_entities', { entities: [ANT] }),
      call('read_graph'),
      call('delete_entities', { entityNames: ['ant'] }),
      call('read_graph'),
    ],
    typed: () => ['create_entities', `entities=${JSON.stringify([ANT])}`],
  },
  {
    label: 'sequential-thinking',
    file: '@modelcontextprotocol/server-sequential-thinking/dist/index.js',
    calls: () => [
      call('sequentialthinking', { thought: 'begin', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    ],
    typed: () => ['sequentialthinking', 'thought=end', 'nextThoughtNeeded=false', 'thoughtNumber=1', 'totalThoughts=1'],
  },
  {
    label: 'commands',
    file: 'mcp-server-commands/build/index.js',
    calls: () => [call('run_command', { command: 'echo one two' }), call('run_command', { command: 'exit 3' })],
    typed: () => ['run_command', 'command=echo typed'],
  },
]

/** A server with its own folder, directly and behind the proxy. */
function commandOf(official: Official, folder: string, home: RelayHome | null): Command {
  mkdirSync(folder, { recursive: true })
  const argv = [process.execPath, join(SERVERS, official.file), ...(official.args?.(folder) ?? [])]
  const env = official.env?.(folder) ?? {}
  return home === null
    ? { argv, cwd: folder, env: { ...process.env, ...env } }
    : home.relay(official.label, argv, [], env)
}

describe.runIf(hasServers())('the official servers behind the proxy', () => {
  for (const official of OFFICIAL)
    it(`${official.label}: looks the same to the SDK’s client`, async () => {
      const root = temporaryFolder()
      const home = openRelayHome(root, ALLOW_ALL)
      onTestFinished(() => home.close())
      const seen = await Promise.all(
        [null, home].map(async (through, index) => {
          const folder = join(root, `files-${index}`)
          const script = { command: commandOf(official, folder, through), calls: official.calls(folder) }
          return JSON.stringify(await driveClient(script), null, 1).replaceAll(folder, '/folder')
        }),
      )
      expect(seen[1]).toBe(seen[0])
      expect(seen[0]).not.toContain('NOT EXECUTED')
    }, 120_000)

  for (const official of OFFICIAL)
    it(`${official.label}: looks the same to the Inspector’s command line`, async () => {
      const root = temporaryFolder()
      const home = openRelayHome(root, ALLOW_ALL)
      onTestFinished(() => home.close())
      const seen = await Promise.all(
        [null, home].map(async (through, index) => {
          const folder = join(root, `files-${index}`)
          const command = commandOf(official, folder, through)
          const [tool, ...args] = official.typed(folder)
          const words = args.flatMap((pair) => ['--tool-arg', pair])
          const env = official.env?.(folder)
          const listed = await inspect(command, ['tools/list'], env)
          const called = await inspect(command, ['tools/call', '--tool-name', tool, ...words], env)
          expect(listed).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({ name: tool })]) })
          expect(called).toHaveProperty('content')
          expect(called).not.toMatchObject({ isError: true })
          return JSON.stringify([listed, called], null, 1).replaceAll(folder, '/folder')
        }),
      )
      expect(seen[1]).toBe(seen[0])
    }, 120_000)

  it('commands: an approved one runs, a rejected one does not, and the client is told', async () => {
    const root = temporaryFolder()
    const home = openRelayHome(root, 'version: 1\n')
    onTestFinished(() => home.close())
    const commands = OFFICIAL.find(({ label }) => label === 'commands')
    if (commands === undefined) throw new Error('no server')
    const [good, bad] = [join(root, 'good'), join(root, 'bad')]
    const calls = [call('run_command', { command: `touch ${good}` }), call('run_command', { command: `touch ${bad}` })]
    const seen = driveClient({ command: commandOf(commands, root, home), calls })
    for (const kind of ['approve', 'reject'] as const) {
      const [view] = await home.held(1)
      expect([existsSync(good), existsSync(bad)]).toEqual([kind === 'reject', false])
      if (view !== undefined) await home.decide(view, { kind, ...(kind === 'reject' ? { reason: 'not now' } : {}) })
    }
    const { results } = await seen
    expect(results[0].isError).toBeFalsy()
    expect(results[1]).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('not now') }] })
    expect([existsSync(good), existsSync(bad)]).toEqual([true, false])
  }, 120_000)
})
