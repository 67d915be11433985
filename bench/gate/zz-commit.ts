import { setImmediate as turn } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { openStage } from './stage.ts'
import { recordWrites } from './recorded-writes.ts'
import { BareStore } from './bare-store.ts'
import { draftEntry } from '@countersign/core'
const call = { tool: 'read_file', args: { path: 'src/index.ts' } }
const r = recordWrites(); const s0 = await openStage(); await s0.gate.run(call, () => {}); r.take(); const { callId } = await s0.gate.run(call, () => {}); const tx = r.take(); await s0.close(); r.stop()
const s = await openStage()
const real = s.ports.store.commit.bind(s.ports.store)
const bare = await BareStore.open(s.root + '/bare/db', tx, callId)
const times: Record<string, number[]> = { store: [], bare: [], run: [] }
const changes: any[] = []
let insitu = 0
;(s.ports.store as any).commit = (c: any) => { changes.push(c); const t = performance.now(); const r = real(c); insitu += performance.now() - t; return r }
times['insitu'] = []
for (let i = 0; i < 6000; i++) {
  changes.length = 0
  insitu = 0; let t0 = performance.now(); await s.gate.run(call, () => {}); times.run!.push(performance.now() - t0); times['insitu']!.push(insitu)
  const id = randomBytes(16).toString('hex')
  const [a, b] = changes; const fix = (c: any) => ({ ...c, entries: c.entries.map((e: any) => ({ ...e, callId: id })), ...(c.open ? { open: { ...c.open, call: { ...c.open.call, id } } } : {}), ...(c.move ? { move: { ...c.move, id } } : {}) })
  const a2 = fix(a), b2 = fix(b)
  await turn()
  let t = performance.now(); await real(a2); await real(b2); times.store!.push(performance.now() - t); await turn()
  bare.prepare(randomBytes(16).toString('hex')); t = performance.now(); bare.repeat(); times.bare!.push(performance.now() - t); await turn()
}
const q = (a: number[]) => { a = a.slice(a.length/3).sort((x,y)=>x-y); return (a[a.length>>1]!*1e3).toFixed(1) }
for (const k in times) if (times[k]!.length) console.log(k, q(times[k]!))
await s.close(); process.exit(0)
