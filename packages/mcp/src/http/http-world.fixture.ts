import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Decision, draftEntry, type Gate, type HeldCallView } from '@countersign/core'
import { decide, openApprover, openGate } from '@countersign/node'
import { afterAll, beforeAll } from 'vitest'
import type { Gatekeeper } from '../gatekeeper/call/exchange.ts'
import { createGatekeeper } from '../gatekeeper/create-gatekeeper.ts'
import type { HoldOptions } from '../gatekeeper/hold-timing.ts'
import type { Catalogue } from '../pins/catalogue.ts'
import { until } from '../relay/relay-world.fixture.ts'
import { compileDenied } from '../wire/method-name.ts'
import { startSmallHttpServer } from './small-http-server.fixture.ts'

const POLICY = `version: 1
rules:
  - { id: runs, tool: ["small/get_note", "small/hang", "small/big", "small/torn", "small/refuse"], supervision: automatic, up_to: high }
  - { id: held, tool: "small/write_note", supervision: confirm }
`

export type HttpWorld = Awaited<ReturnType<typeof makeHttpWorld>>

/** An HTTP server, a gate in front of it and a person, shared by the tests of a file. */
export function httpWorld(): () => HttpWorld {
  let world: HttpWorld | undefined
  beforeAll(async () => {
    world = await makeHttpWorld()
  })
  afterAll(() => world?.close())
  return () => {
    if (world === undefined) throw new Error('no world')
    return world
  }
}

async function makeHttpWorld() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-http-')))
  const [home, workspace] = [join(folder, 'home'), join(folder, 'work')]
  mkdirSync(home, { mode: 0o700 })
  mkdirSync(workspace)
  writeFileSync(join(home, 'policy.yaml'), POLICY, { mode: 0o600 })
  const server = await startSmallHttpServer()
  const opened = await openGate({ home, workspace, tier: 'T1' })
  const person = await openGate({ home, workspace, observer: true })
  const approver = openApprover(person.home, { name: 'ana' })
  const recorded: Promise<unknown>[] = []
  const catalogue = plainCatalogue()
  const definitionsAsked: string[] = []

  return {
    server,
    opened,
    catalogue,
    gatekeeper: (
      gate: Gate,
      options: {
        readonly denied?: readonly string[]
        readonly url?: string | null
        readonly hold?: HoldOptions
        readonly catalogue?: Catalogue
      } = {},
    ): Gatekeeper =>
      createGatekeeper({
        gate,
        newId: opened.ports.crypto.randomId,
        server: 'small',
        catalogue: options.catalogue ?? catalogue,
        ...(options.hold === undefined ? {} : { hold: options.hold }),
        isDenied: compileDenied(options.denied ?? []),
        ...(options.url === undefined
          ? {}
          : {
              showAfterMs: 100,
              showHeld: async (callId) =>
                (await person.ports.store.call(callId))?.state === 'held'
                  ? { message: 'held', url: options.url ?? null }
                  : null,
            }),
        record: (entry) => {
          const { store, clock, crypto } = opened.ports
          recorded.push(store.commit({ entries: [draftEntry(entry, clock.now(), crypto)], durable: false }))
        },
      }),
    definitionsAsked,
    definitionOf(tool: string, from: Catalogue = catalogue) {
      definitionsAsked.push(tool)
      const standing = from.find(tool)
      return standing.kind === 'accepted' ? standing.tool.definition : null
    },
    /** The server's requests that contain this text. */
    got: (text: string) => server.seen.filter(({ body }) => body.includes(text)),
    held: (about: string): Promise<HeldCallView> =>
      until(`a held call about ${about}`, async () =>
        (await person.desk.list()).find((view) => JSON.stringify(view).includes(about)),
      ),
    heldNow: async (about: string) => (await person.desk.list()).some((view) => JSON.stringify(view).includes(about)),
    decide: (view: HeldCallView, decision: Decision) =>
      decide(person.desk, view, decision, { approver, surface: 'test', crypto: person.ports.crypto }),
    state: async (id: string) => (await person.ports.store.call(id))?.state,
    async close(): Promise<void> {
      await Promise.all(recorded)
      await opened.gate.close()
      await person.gate.close()
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Accepts everything the server lists, and nothing else. */
function plainCatalogue(): Catalogue {
  const tools = new Map<string, { readonly name: string; readonly inputSchema: object }>()
  return {
    async take(result) {
      for (const tool of result['tools'] as unknown as { readonly name: string; readonly inputSchema: object }[])
        tools.set(tool.name, tool)
      return result
    },
    find(name) {
      const tool = tools.get(name)
      if (tool === undefined) return { kind: 'unadvertised', why: 'its server does not list it' }
      return {
        kind: 'accepted',
        tool: { name, definition: { ...tool } as never, description: null, annotations: null },
      }
    },
  }
}
