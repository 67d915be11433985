import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { type Decision, draftEntry, type HeldCallView, type JournalEntry, parseEntry } from '@countersign/core'
import { decide, openApprover, openGate } from '@countersign/node'
import { until } from '@countersign/testing/until'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { createGatekeeper } from '../gatekeeper/create-gatekeeper.ts'
import type { HoldOptions } from '../gatekeeper/hold-timing.ts'
import type { Catalogue } from '../pins/catalogue.ts'
import { compileDenied } from '../wire/method-name.ts'
import { openChildLink } from './child-process-link.ts'
import type { RelayEnd } from './ending.ts'
import { startRelay } from './relay.ts'
import { SMALL_SERVER } from './small-server.fixture.ts'

/** Tools by policy: `get_*` runs, `deny_*` is denied, the rest is held for the given time. */
const policy = (timeout: string): string => `version: 1
defaults: { timeout: ${timeout} }
rules:
  - { id: runs, tool: ["small/get_note", "small/fail", "small/error", "small/twice", "small/die", "small/hang", "small/report", "small/ask_client", "small/wants_input", "small/as_task"], supervision: automatic, up_to: high }
  - { id: held, tool: "small/write_note", supervision: confirm }
  - { id: never, tool: "small/write_note", args: { text: forbidden }, supervision: deny }
`

export interface WorldOptions {
  readonly hold?: HoldOptions
  readonly denied?: readonly string[]
  readonly timeout?: string
  readonly maxLineBytes?: number
  readonly lingerMs?: number
}

type Answer = { readonly [member: string]: unknown }

export { until }

export type World = Awaited<ReturnType<typeof makeWorld>>

/** A client, a relay, a real server in its own process, and a person at another gate of the same home; for one test. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const world = await makeWorld(options)
  onTestFinished(() => world.close())
  return world
}

/** The same for all tests of a block: each sees the messages since it began. */
export function sharedWorld(options: WorldOptions = {}): () => World {
  let world: World | undefined
  beforeAll(async () => {
    world = await makeWorld(options)
  })
  beforeEach(() => world?.begin())
  afterAll(() => world?.close())
  return () => {
    if (world === undefined) throw new Error('no world')
    return world
  }
}

async function makeWorld(options: WorldOptions) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-')))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')]
  mkdirSync(home, { mode: 0o700 })
  mkdirSync(workspace)
  writeFileSync(join(home, 'policy.yaml'), policy(options.timeout ?? '1m'), { mode: 0o600 })
  const [seenFile, notesFile] = [join(folder, 'seen'), join(folder, 'notes')]
  const opened = await openGate({ home, workspace, tier: 'T1' })
  const person = await openGate({ home, workspace, observer: true })
  const approver = openApprover(person.home, { name: 'ana' })
  const recorded: Promise<unknown>[] = []
  const gatekeeper = createGatekeeper({
    gate: opened.gate,
    newId: opened.ports.crypto.randomId,
    server: 'small',
    catalogue: plainCatalogue(),
    isDenied: compileDenied(options.denied ?? []),
    ...(options.hold === undefined ? {} : { hold: options.hold }),
    record: (entry) => {
      const { store, clock, crypto } = opened.ports
      recorded.push(store.commit({ entries: [draftEntry(entry, clock.now(), crypto)], durable: false }))
    },
  })
  const maxLineBytes = options.maxLineBytes ?? 64 * 1024 * 1024
  const link = openChildLink({
    command: process.execPath,
    args: ['--no-warnings', SMALL_SERVER],
    cwd: workspace,
    env: { ...process.env, SEEN: seenFile, NOTES: notesFile },
    maxLineBytes,
  })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const relay = startRelay({
    input,
    output,
    link,
    gatekeeper,
    maxLineBytes,
    ...(options.lingerMs === undefined ? {} : { lingerMs: options.lingerMs }),
  })
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  let end: RelayEnd | undefined
  const done = relay.done.then(async (ended) => {
    end = ended
    await gatekeeper.close()
    await Promise.all(recorded)
    return ended
  })

  const read = (file: string): string => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return ''
    }
  }
  const since = { text: 0, seen: 0, notes: 0, entries: 0 }
  const world = {
    /** Forgets the messages so far. */
    async begin(): Promise<void> {
      since.text = text.lastIndexOf('\n') + 1
      since.seen = read(seenFile).length
      since.notes = read(notesFile).length
      since.entries = (await person.ports.store.head()).size
    },
    input,
    output,
    done,
    /** Adds a rule to the policy while everything runs. */
    addRule(rule: string): void {
      appendFileSync(join(home, 'policy.yaml'), `  - ${rule}\n`)
    },
    /** Sends one message; text is sent unchanged. */
    send(message: object | string | Buffer): void {
      if (Buffer.isBuffer(message)) input.write(message)
      else input.write(`${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    },
    call(id: unknown, name: string, args: object = {}, more: object = {}): void {
      world.send({ id, method: 'tools/call', params: { name, arguments: args, ...more } })
    },
    /** Every complete line the client got. */
    lines: (): readonly string[] => text.slice(since.text).split('\n').slice(0, -1),
    messages: (): readonly Answer[] => world.lines().map((line) => JSON.parse(line) as Answer),
    answer: (id: unknown): Promise<Answer> =>
      until(`an answer to ${String(id)}`, () =>
        world.messages().find((one) => one['id'] === id && one['method'] === undefined),
      ),
    /** Every line the server got. */
    seen: (): string => read(seenFile).slice(since.seen),
    notes: (): string => read(notesFile).slice(since.notes),
    /** The held call that contains this text. */
    held: (about: string): Promise<HeldCallView> =>
      until(`a held call about ${about}`, async () =>
        (await person.desk.list()).find((view) => JSON.stringify(view).includes(about)),
      ),
    heldNow: () => person.desk.list(),
    decide: (view: HeldCallView, decision: Decision) =>
      decide(person.desk, view, decision, { approver, surface: 'test', crypto: person.ports.crypto }),
    /** The journal's entries. */
    async journal(): Promise<readonly JournalEntry[]> {
      const { size } = await person.ports.store.head()
      const entries = await person.ports.store.entries(since.entries + 1, size)
      return entries.flatMap(({ line }) => parseEntry(line) ?? [])
    },
    entry: (kind: string): Promise<JournalEntry> =>
      until(`an entry \`${kind}\``, async () => (await world.journal()).find((entry) => entry.kind === kind)),
    async close(): Promise<void> {
      if (end === undefined) relay.stop()
      await done
      await opened.gate.close()
      await person.gate.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  world.send({
    id: 'init',
    method: 'initialize',
    params: { clientInfo: { name: 'tester', version: '1' }, capabilities: {} },
  })
  await world.answer('init')
  return world
}

/** Accepts everything the server lists, and nothing else. */
function plainCatalogue(): Catalogue {
  const tools = new Set<string>()
  return {
    async take(result) {
      for (const tool of result['tools'] as readonly { readonly name: string }[]) tools.add(tool.name)
      return result
    },
    find(name) {
      if (!tools.has(name)) return { kind: 'unadvertised', why: 'its server does not list it' }
      return { kind: 'accepted', tool: { name, definition: { name }, description: null, annotations: null } }
    },
  }
}
