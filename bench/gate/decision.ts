import { randomBytes, verify } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Call,
  decisionMessage,
  type HeldCallView,
  openView,
  type SignedDecision,
  signDecision,
} from '@countersign/core'
import { publicKeyObject } from '../../packages/node/src/keys/ed25519.ts'
import type { BenchRow } from '../table.ts'
import { BareStore } from './bare-store.ts'
import { compared } from './compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from './in-turns.ts'
import { recordWrites } from './recorded-writes.ts'
import { openStage, type Stage } from './stage.ts'

interface Case {
  readonly name: string
  readonly call: Call
  readonly most?: number
}

/** Holds calls of risk none, so that disk syncs do not dominate, and writes, which would otherwise only notify. */
const READS_HELD = `version: 1
rules:
  - id: ask-reads
    kind: read
    supervision: confirm
  - id: ask-writes
    kind: write
    supervision: confirm
`

const CASES: readonly Case[] = [
  {
    name: 'a tool without files',
    call: { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } },
    most: 1.5,
  },
  { name: 'read_file, file rehashed', call: { tool: 'read_file', args: { path: 'src/index.ts' } } },
  { name: 'write_file, synced', call: { tool: 'write_file', args: { path: 'src/index.ts', content: 'export {}\n' } } },
]

/** The waiter is asleep when the decision arrives, as is everything it is compared with. */
const PARKED_MS = 1

async function parked(warming: boolean): Promise<void> {
  if (!warming) await pause(PARKED_MS)
}

/** The transactions of a held call: opened, decided, started, ended. */
const DECIDED = 1
const ENDED = 3

/** From submitting a decision to the tool's first line, compared with the minimum. */
export async function benchDecision(options: TurnOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of CASES) rows.push(...(await benchCase(one, options)))
  return rows
}

async function benchCase({ name, call, most }: Case, options: TurnOptions): Promise<readonly BenchRow[]> {
  const { transactions, id, risk } = await recordOne(call)
  const stage = await openStage({ policy: READS_HELD })
  const bare = await BareStore.open(join(stage.root, 'bare/store.db'), transactions, id)
  try {
    const parts = [verification(await signedOnce(stage, call)), inserts(bare), parkedPromise()]
    const turns = await measureInTurns(decided(stage, call), parts, options)
    const about = `${name} (risk ${risk})`
    return [
      ...parts.map(
        (part): BenchRow => ({ name: `${about}: ${part.name}`, median: turns.means.median(part.name), unit: 'ns' }),
      ),
      ...compared(turns, {
        key: 'gate',
        name: `${about}: desk.decide to the tool's first line`,
        floor: 'the sum',
        most,
      }),
    ]
  } finally {
    bare.close()
    await stage.close()
  }
}

/** Holds a call and returns a function that approves it; `ran` is when its effect began, `over` when all is done. */
async function hold(stage: Stage, call: Call) {
  const ran = Promise.withResolvers<number>()
  const held = Promise.withResolvers<HeldCallView>()
  const stop = stage.gate.subscribe((event) => {
    if (event.kind === 'held') held.resolve(event.view)
  })
  const over = stage.gate.run(call, () => ran.resolve(nanoseconds()))
  const view = await held.promise
  stop()
  const about = { surface: 'bench', at: Date.now() }
  const signed = signDecision(openView(view, stage.ports.crypto), { kind: 'approve' }, stage.approver.signer, about)
  return { signed, over, ran: ran.promise }
}

function decided(stage: Stage, call: Call): Subject {
  return {
    name: 'gate',
    async once(warming) {
      const { signed, over, ran } = await hold(stage, call)
      await parked(warming)
      const start = nanoseconds()
      const receipt = stage.desk.decide(signed.held, signed)
      const took = (await ran) - start
      if (!(await receipt).accepted || (await over).kind !== 'completed') throw new Error('the call did not run')
      return took
    },
  }
}

async function signedOnce(stage: Stage, call: Call): Promise<SignedDecision & { readonly publicKey: string }> {
  const { signed, over } = await hold(stage, call)
  await stage.desk.decide(signed.held, signed)
  await over
  return { ...signed, publicKey: stage.approver.signer.publicKey }
}

function verification(signed: SignedDecision & { readonly publicKey: string }): Subject {
  const key = publicKeyObject(Buffer.from(signed.publicKey, 'base64'))
  const message = Buffer.from(decisionMessage(signed), 'utf8')
  const signature = Buffer.from(signed.signature, 'base64')
  return {
    name: 'one Ed25519 verification',
    async once(warming) {
      await parked(warming)
      const start = nanoseconds()
      if (!verify(null, message, key, signature)) throw new Error('invalid signature')
      return nanoseconds() - start
    },
  }
}

function inserts(bare: BareStore): Subject {
  return {
    name: 'inserts of decision and start only',
    async once(warming) {
      bare.prepare(randomBytes(16).toString('hex'))
      bare.repeat(0, DECIDED)
      await parked(warming)
      const start = nanoseconds()
      bare.repeat(DECIDED, ENDED)
      const took = nanoseconds() - start
      bare.repeat(ENDED)
      return took
    },
  }
}

function parkedPromise(): Subject {
  return {
    name: 'waking a parked promise',
    async once(warming) {
      const { promise, resolve } = Promise.withResolvers<number>()
      const woken = promise.then((start) => nanoseconds() - start)
      await parked(warming)
      resolve(nanoseconds())
      return woken
    },
  }
}

/** Records the writes of one held and approved call in a warm gate. */
async function recordOne(call: Call) {
  const recording = recordWrites()
  try {
    const stage = await openStage({ policy: READS_HELD })
    let risk = ''
    stage.gate.subscribe((event) => {
      if (event.kind === 'judged') risk = event.judgement.risk.level
    })
    await signedOnce(stage, call)
    recording.take()
    const { held } = await signedOnce(stage, call)
    const transactions = recording.take()
    await stage.close()
    if (transactions.length !== ENDED + 1) throw new Error(`a held call took ${transactions.length} transactions`)
    return { transactions, id: held, risk }
  } finally {
    recording.stop()
  }
}
