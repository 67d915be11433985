import { randomBytes, verify } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, decisionMessage, type HeldCallView, type SignedDecision } from '@countersign/core'
import type { RemoteGate } from '@countersign/node'
import { publicKeyObject } from '../../packages/node/src/ed25519.ts'
import { BareStore } from '../gate/bare-store.ts'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import type { BenchRow } from '../table.ts'
import { type BarePeer, startBare } from './bare-peer.ts'
import type { Browser } from './browser.ts'
import { ALL_HELD } from './held-policy.ts'
import { type RecordedCall, recordCall } from './recorded-call.ts'
import { openServiceStage, type ServiceStage } from './stage.ts'

interface Case {
  readonly name: string
  readonly call: Call
  readonly most?: number
}

const CASES: readonly Case[] = [
  {
    name: 'a tool without files',
    call: { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } },
    most: 1.5,
  },
  {
    name: 'write_file, synced',
    call: { tool: 'write_file', args: { path: 'src/index.ts', content: 'export const a = 1\n' } },
  },
]

/** Whoever waits is asleep when the decision comes; so is everything it is compared with. */
const PARKED_MS = 1

/** From a decision that reaches the service to its caller running in another process, beside the least that takes. */
export async function benchRemoteDecision(options: TurnOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of CASES) rows.push(...(await benchCase(one, options)))
  return rows
}

async function benchCase({ name, call, most }: Case, options: TurnOptions): Promise<readonly BenchRow[]> {
  const recorded = await recordCall(call, ALL_HELD)
  const stage = await openServiceStage({ policy: ALL_HELD })
  const store = await BareStore.open(join(stage.root, 'bare/store.db'), recorded.transactions, recorded.id)
  const step = { from: 0, to: 0, reply: recorded.permitLine.trimEnd() }
  const line = await startBare({ transactions: [], id: '', steps: [step], answer: 'clock' })
  try {
    const decider = await openDecider(stage, call)
    const parts: readonly Subject[] = [
      verification(await decider.signed(), stage.publicKey),
      inserts(store, recorded),
      rawLine(line),
    ]
    const turns = await measureInTurns(decider, parts, options)
    const about = `${name} (risk ${recorded.risk})`
    return [
      ...parts.map(
        (part): BenchRow => ({ name: `${about}: ${part.name}`, median: turns.means.median(part.name), unit: 'ns' }),
      ),
      ...compared(turns, {
        key: 'service',
        name: `${about}: from the decision's arrival to the caller running`,
        floor: 'the sum',
        most,
      }),
    ]
  } finally {
    await line.close()
    store.close()
    await stage.close()
  }
}

/** Nanoseconds of the clock that all processes of a machine share. */
function machineNow(): number {
  return Number(process.hrtime.bigint())
}

interface Decider extends Subject {
  /** Does it once and gives what approved it. */
  signed(): Promise<SignedDecision>
}

async function openDecider(stage: ServiceStage, call: Call): Promise<Decider> {
  const gate: RemoteGate = await stage.connect()
  const browser: Browser = await stage.browse()
  let held = Promise.withResolvers<HeldCallView>()
  await browser.stream(({ event, data }) => {
    if (event === 'held') held.resolve(JSON.parse(data) as HeldCallView)
  })

  async function begin() {
    held = Promise.withResolvers<HeldCallView>()
    const running = gate.ask(call).then((permit) => ({ permit, at: machineNow() }))
    return { running, signed: stage.sign(await held.promise, { kind: 'approve' }) }
  }

  async function once(warming: boolean) {
    const { running, signed } = await begin()
    if (!warming) await pause(PARKED_MS)
    const answered = browser.decide(signed)
    const { permit, at } = await running
    if (!(await answered).receipt.accepted || permit.kind !== 'permit') throw new Error('the call did not run')
    const took = at - (await stage.received())
    await gate.settle(permit, 'completed')
    return { took, signed }
  }

  return {
    name: 'service',
    signed: async () => (await once(true)).signed,
    once: async (warming) => (await once(warming)).took,
  }
}

function verification(signed: SignedDecision, publicKey: string): Subject {
  const key = publicKeyObject(Buffer.from(publicKey, 'base64'))
  const message = Buffer.from(decisionMessage(signed), 'utf8')
  const signature = Buffer.from(signed.signature, 'base64')
  return {
    name: 'one Ed25519 verification',
    async once(warming) {
      if (!warming) await pause(PARKED_MS)
      const start = nanoseconds()
      if (!verify(null, message, key, signature)) throw new Error('the signature does not fit')
      return nanoseconds() - start
    },
  }
}

function rawLine(peer: BarePeer): Subject {
  return {
    name: 'a raw socket line',
    async once() {
      const written = Number.parseInt(await peer.send('next\n'), 10)
      return machineNow() - written
    },
  }
}

function inserts(store: BareStore, { asked, allowed }: RecordedCall): Subject {
  return {
    name: 'the inserts of decision and start alone',
    async once(warming) {
      store.prepare(randomBytes(16).toString('hex'))
      store.repeat(0, asked)
      if (!warming) await pause(PARKED_MS)
      const start = nanoseconds()
      store.repeat(asked, allowed)
      const took = nanoseconds() - start
      store.repeat(allowed)
      return took
    },
  }
}
