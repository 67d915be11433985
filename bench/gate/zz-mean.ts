import { setImmediate as turn } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { openStage } from './stage.ts'
import { recordWrites } from './recorded-writes.ts'
import { BareStore } from './bare-store.ts'
const call: any = process.argv[2] === 'git' ? { tool: 'execute_command', args: { command: 'git status' } } : { tool: 'read_file', args: { path: 'src/index.ts' } }
const r = recordWrites(); const s0 = await openStage(); await s0.gate.run(call, () => {}); r.take(); const { callId } = await s0.gate.run(call, () => {}); const tx = r.take(); await s0.close(); r.stop()
const s = await openStage()
const bare = await BareStore.open(s.root + '/bare/db', tx, callId)
const OPS = Number(process.argv[3] ?? 200), REPS = Number(process.argv[4] ?? 25)
const med = (a: number[]) => { a = [...a].sort((x, y) => x - y); return a[a.length >> 1]! }
const yieldEach = process.argv[5] !== 'tight'
const gm: number[] = [], bm: number[] = [], gp: number[] = [], bp: number[] = []
for (let i = 0; i < 4000; i++) { await s.gate.run(call, () => {}); if (i % 10 === 0) await turn() }
for (let i = 0; i < 4000; i++) { bare.prepare(randomBytes(16).toString('hex')); bare.repeat(); }
for (let rep = 0; rep < REPS; rep++) {
  const g: number[] = [], b: number[] = []
  for (let i = 0; i < OPS; i++) { const t = performance.now(); await s.gate.run(call, () => {}); g.push(performance.now() - t); if (yieldEach) await turn() }
  await turn()
  for (let i = 0; i < OPS; i++) { bare.prepare(randomBytes(16).toString('hex')); const t = performance.now(); bare.repeat(); b.push(performance.now() - t); if (yieldEach) await turn() }
  await turn()
  gm.push(g.reduce((x, y) => x + y) / OPS * 1e3); bm.push(b.reduce((x, y) => x + y) / OPS * 1e3); gp.push(med(g) * 1e3); bp.push(med(b) * 1e3)
}
console.log('mean', med(gm).toFixed(0), med(bm).toFixed(0), (med(gm) / med(bm)).toFixed(2), ' p50', med(gp).toFixed(0), med(bp).toFixed(0), (med(gp) / med(bp)).toFixed(2), 'paired mean', med(gm.map((x, i) => x / bm[i]!)).toFixed(2))
await s.close(); process.exit(0)
