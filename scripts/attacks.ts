/**
 * Runs the attacks and their twins for real, in folders of their own, and prints what happened.
 * `node --conditions=countersign-source scripts/attacks.ts [--preset balanced] [--sandbox real|none] [--bare] [--twins] [id or class…]`
 */
import { parseArgs } from 'node:util'
import { hasSeenStep, readRows } from '../test/contain/harness/row.ts'
import { openArena, runAttack, runTwin, stepText, twinDifferences } from '../test/contain/harness/run-row.ts'
import { type How, isInstalled, type Preset, type SandboxMode } from '../test/contain/harness/run-steps.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    preset: { type: 'string', default: 'balanced' },
    sandbox: { type: 'string', default: 'real' },
    bare: { type: 'boolean', default: false },
    twins: { type: 'boolean', default: false },
  },
})
const how: How = values.bare ? 'bare' : { preset: values.preset as Preset, sandbox: values.sandbox as SandboxMode }
const rows = readRows().filter(
  (row) => positionals.length === 0 || positionals.includes(row.id) || positionals.includes(row.class),
)
const arena = await openArena()
const start = performance.now()
let count = 0
let disturbed = 0
let looked = 0
const fates = { ran: 0, contained: 0, asked: 0 }
try {
  for (const row of rows) {
    if (!(row.needs ?? []).every(isInstalled)) continue
    count += 1
    const began = performance.now()
    if (values.twins) {
      const differs = twinDifferences(await runTwin(row, 'bare', arena), await runTwin(row, how, arena))
      for (const one of differs) console.log(`${row.class}/${row.id}\t${one}`)
      if (differs.length > 0) disturbed += 1
      if (hasSeenStep(row)) looked += 1
    } else {
      const { harms, ends } = await runAttack(row, how, arena)
      for (const { fate } of ends) fates[fate] += 1
      if (values.bare ? !harms.some(({ harm }) => harm === row.harm) : harms.length > 0)
        console.log(
          `${row.class}/${row.id}\t${row.harm}\t${ends.map(({ fate }) => fate).join(',')}\t${harms.map(({ harm, detail }) => `${harm}: ${detail}`).join('; ')}\t${row.attack.map(stepText).join(' ⏎ ').slice(0, 200)}${
            values.bare
              ? `\t${ends
                  .map(({ text }) => text)
                  .join('|')
                  .slice(0, 300)}`
              : ''
          }`,
        )
    }
    const seconds = (performance.now() - began) / 1000
    if (seconds > 4) console.log(`${row.class}/${row.id}\tslow: ${seconds.toFixed(1)} s`)
  }
} finally {
  await arena.close()
}
if (values.twins)
  console.log(`${disturbed} of ${count} twins disturbed; in ${looked} of them the person looks at the changes first`)
else console.log(`steps: ${fates.ran} ran, ${fates.contained} ran in the sandbox, ${fates.asked} were asked about`)
console.log(`${count} rows in ${((performance.now() - start) / 1000).toFixed(1)} s`)
