import { setTimeout as pause } from 'node:timers/promises'
import type { Call, HeldCallView } from '@countersign/core'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import type { BenchRow } from '../table.ts'
import { type BarePeer, startBare } from './bare-peer.ts'
import { ALL_HELD } from './held-policy.ts'
import { recordCall } from './recorded-call.ts'
import { openServiceStage, type ServiceStage } from './stage.ts'

const CALL: Call = { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } }
const MOST = 1.5
const PARKED_MS = 1

/** A new call on screen: from gate.ask to its event at a reader of the stream, beside a bare server that says as much. */
export async function benchOnScreen(options: TurnOptions): Promise<readonly BenchRow[]> {
  const recorded = await recordCall(CALL, ALL_HELD)
  const stage = await openServiceStage({ policy: ALL_HELD })
  const shown = await openShown(stage)
  const reply = `id: 1\nevent: held\ndata: ${await shown.payload()}\n\n`
  const { transactions, id, asked, askLine } = recorded
  const plain = await startBare({ transactions: [], id: '', steps: [{ from: 0, to: 0, reply }], answer: 'event' })
  const storing = await startBare({ transactions, id, steps: [{ from: 0, to: asked, reply }], answer: 'event' })
  try {
    await plain.stream()
    await storing.stream()
    const beside = async (bare: BarePeer, name: string, most: number | undefined): Promise<readonly BenchRow[]> => {
      const turns = await measureInTurns(shown, [bareEvent(bare, askLine)], options)
      const row = { key: 'service', name: `from gate.ask to its event, beside ${name}`, floor: 'bare', most }
      return [{ name, median: turns.means.median('bare'), unit: 'ns' }, ...compared(turns, row)]
    }
    return [
      ...(await beside(storing, 'a bare server of events with the same inserts', MOST)),
      ...(await beside(plain, 'a bare server of events', MOST)),
    ]
  } finally {
    await plain.close()
    await storing.close()
    await stage.close()
  }
}

async function openShown(stage: ServiceStage): Promise<Subject & { payload(): Promise<string> }> {
  const gate = await stage.connect()
  const browser = await stage.browse()
  let shown = Promise.withResolvers<string>()
  await browser.stream(({ event, data }) => {
    if (event === 'held') shown.resolve(data)
  })

  async function once(): Promise<{ readonly took: number; readonly data: string }> {
    shown = Promise.withResolvers<string>()
    const start = nanoseconds()
    const asked = gate.ask(CALL)
    const data = await shown.promise
    const took = nanoseconds() - start
    await browser.decide(stage.sign(JSON.parse(data) as HeldCallView, { kind: 'reject', reason: 'no' }))
    await asked
    return { took, data }
  }

  return {
    name: 'service',
    payload: async () => (await once()).data,
    async once(warming) {
      if (!warming) await pause(PARKED_MS)
      return (await once()).took
    },
  }
}

function bareEvent(bare: BarePeer, line: string): Subject {
  return {
    name: 'bare',
    async once(warming) {
      if (!warming) await pause(PARKED_MS)
      const start = nanoseconds()
      await bare.send(line)
      return nanoseconds() - start
    },
  }
}
