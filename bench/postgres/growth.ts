import type { Call } from '@countersign/core'
import { openCrypto } from '@countersign/node'
import { fillStore } from '@countersign/testing/postgres/fill-store'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import { openStage, type Stage } from '../gate/stage.ts'
import type { BenchRow } from '../table.ts'
import { clientAt, freshTables, schemaOf } from './clients.ts'

const CALL: Call = { tool: 'read_file', args: { path: 'src/index.ts' } }
const MOST = 1.2

/** The cost of a call on a store with a long journal, compared with one on a store with a short journal. */
export async function benchGrowth(
  server: PostgresServer,
  { few, many, ...options }: TurnOptions & { readonly few: number; readonly many: number },
): Promise<readonly BenchRow[]> {
  const [short, long] = [await stageWith(server, few), await stageWith(server, many)]
  try {
    const turns = await measureInTurns(gated('long', long), [gated('short', short)], options)
    const ratio = turns.medians.ratio('long', 'short')
    const name = (size: number) => `automatic call, journal of ${size.toLocaleString('en')} entries`
    return [
      { name: name(few), median: turns.medians.median('short'), unit: 'ns' },
      {
        name: name(many),
        median: turns.medians.median('long'),
        unit: 'ns',
        ratio: `${ratio.toFixed(2)}× the short one`,
        target: `≤ ${MOST}×`,
        ok: ratio <= MOST,
      },
    ]
  } finally {
    await short.close()
    await long.close()
  }
}

/** A gate whose store has this many entries. */
async function stageWith(server: PostgresServer, entries: number): Promise<Stage> {
  const store = await freshTables(server)
  const stage = await openStage({ store })
  const client = await clientAt(store)
  await fillStore(client, schemaOf(store), entries, openCrypto(stage.home))
  await client.end()
  return stage
}

function gated(name: string, { gate }: Stage): Subject {
  return {
    name,
    async once() {
      const start = nanoseconds()
      const result = await gate.run(CALL, () => {})
      const took = nanoseconds() - start
      if (result.kind !== 'completed') throw new Error(`the call did not run automatically: ${JSON.stringify(result)}`)
      return took
    },
  }
}
