import { recordWrites } from './recorded-writes.ts'
import { openStage } from './stage.ts'

const r = recordWrites()
const s = await openStage()
const call = { tool: 'read_file', args: { path: 'src/index.ts' } }
await s.gate.run(call, () => {})
r.take()
await s.gate.run(call, () => {})
for (const t of r.take()) {
  console.log('---')
  for (const w of t)
    console.log(
      w.sql.slice(0, 100),
      w.values.map((v) => (typeof v === 'string' && v.length > 80 ? `<${v.length}> ${v.slice(0, 1000)}` : v)),
    )
}
await s.close()
