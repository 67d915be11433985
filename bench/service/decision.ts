import { setTimeout as pause } from 'node:timers/promises'
import { type Call, decisionMessage, type HeldCallView, type SignedDecision } from '@countersign/core'
import { compared } from '../gate/compared.ts'
import { measureInTurns, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import { median } from '../interleave.ts'
import type { BenchRow } from '../table.ts'
import { type BarePeer, startBare } from './bare-peer.ts'
import { ALL_HELD } from './held-policy.ts'
import { machineNow } from './machine-now.ts'
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

/** The waiter is asleep when the decision arrives, as is the process it is compared with. */
const PARKED_MS = 1

/** From receiving a decision to the caller running in another process, compared with the minimum. */
export async function benchRemoteDecision(options: TurnOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of CASES) rows.push(...(await benchCase(one, options)))
  return rows
}

async function benchCase({ name, call, most }: Case, options: TurnOptions): Promise<readonly BenchRow[]> {
  const recorded = await recordCall(call, ALL_HELD)
  const stage = await openServiceStage({ policy: ALL_HELD })
  try {
    const decider = await openDecider(stage, call)
    const bare = await startSum(recorded, await decider.signed(), stage.publicKey)
    try {
      const turns = await measureInTurns(decider, [sum(bare)], options)
      const about = `${name} (risk ${recorded.risk})`
      return [
        {
          name: `${about}: one signature check, the same inserts and a socket line`,
          median: turns.means.median('sum'),
          unit: 'ns',
        },
        ...compared(turns, {
          key: 'service',
          name: `${about}: from the received decision to the running caller`,
          floor: 'the sum',
          most,
        }),
        {
          name: `${about}: the same from the request’s head, median`,
          median: median(decider.heads.slice(options.warm)),
          unit: 'ns',
        },
      ]
    } finally {
      await bare.close()
    }
  } finally {
    await stage.close()
  }
}

interface Decider extends Subject {
  /** Runs once and returns the approving decision. */
  signed(): Promise<SignedDecision>
  /** The times from the head of the request instead. */
  readonly heads: readonly number[]
}

async function openDecider(stage: ServiceStage, call: Call): Promise<Decider> {
  const gate = await stage.connect()
  const browser = await stage.browse()
  const heads: number[] = []
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
    const { asked, received } = await stage.clocks()
    heads.push(at - asked)
    await gate.settle(permit, 'completed')
    return { took: at - received, signed }
  }

  return {
    name: 'service',
    heads,
    signed: async () => (await once(true)).signed,
    once: async (warming) => (await once(warming)).took,
  }
}

/**
 * The minimum in one bare process, woken like the service: the call's own inserts are made in advance, then a line
 * arrives, one signature is verified, the inserts of decision and start are committed, and a line is sent.
 */
function startSum(recorded: RecordedCall, signed: SignedDecision, publicKey: string): Promise<BarePeer> {
  const { transactions, id, asked, allowed, permitLine } = recorded
  return startBare({
    transactions,
    id,
    ahead: asked,
    steps: [{ from: asked, to: allowed, reply: permitLine }],
    answer: 'line',
    signature: { publicKey, message: decisionMessage(signed), signature: signed.signature },
  })
}

function sum(bare: BarePeer): Subject {
  return {
    name: 'the sum',
    async once(warming) {
      if (!warming) await pause(PARKED_MS)
      const heard = Number.parseInt(await bare.send('next\n'), 10)
      return machineNow() - heard
    },
  }
}
