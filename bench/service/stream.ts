import { setTimeout as pause } from 'node:timers/promises'
import type { Call, HeldCallView } from '@countersign/core'
import { compared } from '../gate/compared.ts'
import { measureInTurns, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import type { BenchRow } from '../table.ts'
import { type BarePeer, startBare } from './bare-peer.ts'
import { ALL_HELD } from './held-policy.ts'
import { machineNow } from './machine-now.ts'
import { recordCall } from './recorded-call.ts'
import { openServiceStage, type ServiceStage } from './stage.ts'

const CALL: Call = { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } }
const MOST = 1.5
const PARKED_MS = 1

/** When the clock starts: when the event is ready, or when the asker asks. */
type From = 'held' | 'asked'

/** From a new call to a reader of the stream, compared with a bare server that sends as much. */
export async function benchOnScreen(options: TurnOptions): Promise<readonly BenchRow[]> {
  const recorded = await recordCall(CALL, ALL_HELD)
  const stage = await openServiceStage({ policy: ALL_HELD })
  const shown = await openShown(stage)
  const reply = `event: held\ndata: ${await shown.payload()}\n\n`
  const { transactions, id, asked, askLine } = recorded
  const bare = await startBare({ transactions, id, steps: [{ from: 0, to: asked, reply }], answer: 'event' })
  try {
    await bare.stream()
    const beside = async (from: From, floor: string, name: string, most?: number): Promise<readonly BenchRow[]> => {
      const turns = await measureInTurns(shown.from(from), [bareEvent(bare, askLine, from)], options)
      return [
        { name: floor, median: turns.means.median('bare'), unit: 'ns' },
        ...compared(turns, { key: 'service', name, floor: 'bare', most }),
      ]
    }
    return [
      ...(await beside('held', 'a bare event server', 'from held to its event', MOST)),
      ...(await beside('asked', 'a bare server with a socket and the same inserts', 'from gate.ask to its event')),
    ]
  } finally {
    await bare.close()
    await stage.close()
  }
}

interface Shown {
  from(from: From): Subject
  payload(): Promise<string>
}

async function openShown(stage: ServiceStage): Promise<Shown> {
  const gate = await stage.connect()
  const browser = await stage.browse()
  let shown = Promise.withResolvers<{ readonly data: string; readonly at: number }>()
  await browser.stream(({ event, data }) => {
    if (event === 'held') shown.resolve({ data, at: machineNow() })
  })

  async function once(from: From): Promise<{ readonly took: number; readonly data: string }> {
    shown = Promise.withResolvers()
    const start = machineNow()
    const asked = gate.ask(CALL)
    const { data, at } = await shown.promise
    const { held } = await stage.clocks()
    await browser.decide(stage.sign(JSON.parse(data) as HeldCallView, { kind: 'reject', reason: 'no' }))
    await asked
    return { took: at - (from === 'held' ? held : start), data }
  }

  return {
    payload: async () => (await once('held')).data,
    from: (from) => ({
      name: 'service',
      async once(warming) {
        if (!warming) await pause(PARKED_MS)
        return (await once(from)).took
      },
    }),
  }
}

/** Sends the same line to a bare server, which commits the same inserts and writes the same bytes to its only reader. */
function bareEvent(bare: BarePeer, line: string, from: From): Subject {
  return {
    name: 'bare',
    async once(warming) {
      if (!warming) await pause(PARKED_MS)
      const start = machineNow()
      const told = Number(await bare.send(line))
      return machineNow() - (from === 'held' ? told : start)
    },
  }
}
