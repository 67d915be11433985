import { setImmediate as turn } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { openStage } from './stage.ts'
import { recordWrites } from './recorded-writes.ts'
import { BareStore } from './bare-store.ts'
const call: any = process.argv[2] === 'git' ? { tool: 'execute_command', args: { command: 'git status' } } : { tool: 'read_file', args: { path: 'src/index.ts' } }
const r = recordWrites(); const s0 = await openStage(); await s0.gate.run(call, () => {}); r.take(); const { callId } = await s0.gate.run(call, () => {}); const tx = r.take(); await s0.close(); r.stop()
const s = await openStage()
const bare = await BareStore.open(s.root + '/bare/db', tx, callId)
const g: number[] = [], b: number[] = []
const N = Number(process.argv[3] ?? 6000)
for (let i = 0; i < N; i++) {
  let t = performance.now(); await s.gate.run(call, () => {}); const gt = performance.now() - t; await turn()
  bare.prepare(randomBytes(16).toString('hex')); t = performance.now(); bare.repeat(); const bt = performance.now() - t; await turn()
  if (i > N / 3) { g.push(gt); b.push(bt) }
}
g.sort((x, y) => x - y); b.sort((x, y) => x - y)
console.log([0.05, 0.1, 0.25, 0.5, 0.75].map((p) => { const x = g[g.length * p | 0]! * 1e3, y = b[b.length * p | 0]! * 1e3; return `p${p * 100} ${x.toFixed(0)}/${y.toFixed(0)}=${(x / y).toFixed(2)}` }).join('  '))
await s.close(); process.exit(0)
