import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Decision, draftEntry, type HeldCallView, type JournalEntry, parseEntry } from '@countersign/core'
import { decide, openApprover, openGate } from '@countersign/node'
import { recordingTelemetry } from '@countersign/testing/gate/recording-telemetry'
import { afterAll, beforeAll } from 'vitest'
import type { Catalogue, ToolStatus } from '../pins/catalogue.ts'
import { until } from '../relay/relay-world.fixture.ts'
import { readMessage } from '../wire/message-parser.ts'
import type { Exchange, MessageAction } from './call/exchange.ts'
import { createGatekeeper } from './create-gatekeeper.ts'
import type { HoldOptions } from './hold-timing.ts'

const POLICY = `version: 1
rules:
  - { id: runs, tool: "small/get", supervision: automatic, up_to: high }
  - { id: held, tool: "small/write", supervision: confirm }
`

type Params = { readonly [name: string]: unknown }

export type GatedWorld = Awaited<ReturnType<typeof makeGatedWorld>>

/** A real gate and a person, without a transport: tests see each message where it is decided. */
export function gatedWorld(hold?: HoldOptions): () => GatedWorld {
  let world: GatedWorld | undefined
  beforeAll(async () => {
    world = await makeGatedWorld(hold)
  })
  afterAll(() => world?.close())
  return () => {
    if (world === undefined) throw new Error('no world')
    return world
  }
}

async function makeGatedWorld(hold: HoldOptions | undefined) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-gated-')))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')]
  mkdirSync(home, { mode: 0o700 })
  mkdirSync(workspace)
  writeFileSync(join(home, 'policy.yaml'), POLICY, { mode: 0o600 })
  const telemetry = recordingTelemetry()
  const opened = await openGate({ home, workspace, tier: 'T1', telemetry })
  const person = await openGate({ home, workspace, observer: true })
  const approver = openApprover(person.home, { name: 'ana' })
  const { store, clock, crypto } = opened.ports
  const statuses = new Map<string, ToolStatus>()
  const catalogue: Catalogue = {
    take: async (result) => result,
    find: (name) => statuses.get(name) ?? accepted(name, name),
  }
  const gatekeeper = createGatekeeper({
    gate: opened.gate,
    newId: opened.ports.crypto.randomId,
    server: 'small',
    catalogue,
    ...(hold === undefined ? {} : { hold }),
    record: (entry) =>
      void store.commit({ entries: [draftEntry(entry, clock.now(), crypto)], durable: false }).catch(() => {}),
  })
  let ids = 0

  const world = {
    gatekeeper,
    /** What was observed of the calls. */
    telemetry,
    /** Changes the definition of a tool. */
    stands(name: string, status: ToolStatus): void {
      statuses.set(name, status)
    },
    /** The fate of one call. */
    async call(name: string, params: Params, exchange: Partial<Exchange> = {}): Promise<MessageAction> {
      ids += 1
      const message = { jsonrpc: '2.0', id: ids, method: 'tools/call', params: { name, ...params } }
      return gatekeeper.fromClient(readMessage(Buffer.from(JSON.stringify(message))), { ...IDLE, ...exchange })
    },
    /** The client's view of the server's answer to a sent call. */
    async answered(fate: MessageAction, result: object): Promise<Params> {
      if (fate.kind !== 'forward' || fate.asked === undefined) throw new Error('it was not sent')
      const text = `{"jsonrpc":"2.0","id":${fate.asked.id},"result":${JSON.stringify(result)}}`
      const back = await gatekeeper.fromServer(readMessage(Buffer.from(text)), fate.asked)
      if (back.kind !== 'forward') throw new Error('it was not passed on')
      await back.after?.()
      return JSON.parse(back.bytes.toString('utf8')) as Params
    },
    held: (about: string): Promise<HeldCallView> =>
      until(`a held call about ${about}`, async () =>
        (await person.desk.list()).find((view) => JSON.stringify(view).includes(about)),
      ),
    heldNow: () => person.desk.list(),
    decide: (view: HeldCallView, decision: Decision) =>
      decide(person.desk, view, decision, { approver, surface: 'test', crypto: person.ports.crypto }),
    /** Every entry of one call. */
    async entries(about: string): Promise<readonly JournalEntry[]> {
      const { size } = await store.head()
      const all = (await store.entries(1, size)).flatMap(({ line }) => parseEntry(line) ?? [])
      const ids = new Set(all.filter((one) => JSON.stringify(one).includes(about)).map(({ call }) => call))
      return all.filter(({ call }) => call !== null && ids.has(call))
    },
    async close(): Promise<void> {
      await gatekeeper.close()
      await opened.gate.close()
      await person.gate.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return world
}

const IDLE: Exchange = {
  signal: new AbortController().signal,
  toClient() {},
  protocol: 'initialize',
  elicitation: { form: false, url: false },
}

/** A tool that can be called, by its name and definition. */
export function accepted(name: string, words: string): ToolStatus {
  return { kind: 'accepted', tool: { name, definition: { name, words }, description: null, annotations: null } }
}

/** The message the server gets for a sent call. */
export function sentParams(fate: MessageAction): Params {
  if (fate.kind !== 'forward') throw new Error('it was not sent')
  return (JSON.parse(fate.bytes.toString('utf8')) as { readonly params: Params }).params
}

/** The message the client gets instead. */
export function toldInstead(fate: MessageAction): string {
  if (fate.kind !== 'answer') throw new Error('it was not answered here')
  return fate.bytes.toString('utf8')
}
