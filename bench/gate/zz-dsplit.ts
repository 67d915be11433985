import { setTimeout as pause } from 'node:timers/promises'
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { openView, signDecision } from '@countersign/core'
import { openStage } from './stage.ts'
import { recordWrites } from './recorded-writes.ts'
import { BareStore } from './bare-store.ts'
const P = 'version: 1\nrules:\n  - id: a\n    kind: read\n    supervision: confirm\n'
const call: any = { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } }
let on = false
async function life(s: any) {
  const held = Promise.withResolvers<any>()
  const stop = s.gate.subscribe((e: any) => { if (e.kind === 'held') held.resolve(e.view) })
  const over = s.gate.run(call, () => { on = false })
  const view = await held.promise; stop()
  const signed = signDecision(openView(view, s.ports.crypto), { kind: 'approve' }, s.approver.signer, { surface: 'b', at: Date.now() })
  await pause(2); on = true
  await s.desk.decide(signed.held, signed); await over
  return signed.held
}
const r = recordWrites(); const s0 = await openStage({ policy: P }); await life(s0); r.take(); const id = await life(s0); const tx = r.take(); await s0.close(); r.stop()
let log: Map<string, number[]>
const gateLog = new Map<string, number[]>(), bareLog = new Map<string, number[]>()
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (this: any, sql: string) { const s: any = prepare.call(this, sql); for (const m of ['run','get','all']) { const f = s[m].bind(s); Object.defineProperty(s, m, { value: (...v: any[]) => { const t = performance.now(); const r = f(...v); const d = performance.now() - t; if (on) { let a = log.get(sql); if (!a) log.set(sql, a = []); a.push(d) } return r } }) } return s } as any
const s = await openStage({ policy: P })
const bare = await BareStore.open(s.root + '/bare/db', tx, id)
const N = 800
for (let i = 0; i < N; i++) { log = gateLog; await life(s); log = bareLog; bare.prepare(randomBytes(16).toString('hex')); bare.repeat(0, 1); await pause(2); on = true; bare.repeat(1, 3); on = false; bare.repeat(3) }
const q = (a: number[]) => { a = a.slice(a.length/3).sort((x,y)=>x-y); return (a[a.length>>1]!*1e3).toFixed(1) }
for (const [k, v] of gateLog) if (v.length > N / 2) console.log(k.slice(0,90).padEnd(92), (v.length/N).toFixed(1), 'gate', q(v), 'bare', bareLog.has(k) ? q(bareLog.get(k)!) : '')
await s.close(); process.exit(0)
