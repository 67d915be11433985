import { setTimeout as pause } from 'node:timers/promises'
import { randomBytes, verify } from 'node:crypto'
import { openView, signDecision, decisionMessage } from '@countersign/core'
import { publicKeyObject } from '../../packages/node/src/ed25519.ts'
import { openStage } from './stage.ts'
import { recordWrites } from './recorded-writes.ts'
import { BareStore } from './bare-store.ts'
const P = 'version: 1\nrules:\n  - id: a\n    kind: read\n    supervision: confirm\n'
const call: any = process.argv[2] === 'read' ? { tool: 'read_file', args: { path: 'src/index.ts' } } : { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } }
async function life(s: any) {
  const held = Promise.withResolvers<any>(), ran = Promise.withResolvers<number>()
  const stop = s.gate.subscribe((e: any) => { if (e.kind === 'held') held.resolve(e.view) })
  const over = s.gate.run(call, () => ran.resolve(performance.now()))
  const view = await held.promise; stop()
  const signed = signDecision(openView(view, s.ports.crypto), { kind: 'approve' }, s.approver.signer, { surface: 'b', at: Date.now() })
  await pause(2); const t = performance.now()
  const rec = s.desk.decide(signed.held, signed); const took = await ran.promise - t; await rec; await over
  return { took, signed }
}
const r = recordWrites(); const s0 = await openStage({ policy: P }); await life(s0); r.take(); const { signed } = await life(s0); const tx = r.take(); await s0.close(); r.stop()
const s = await openStage({ policy: P })
const bare = await BareStore.open(s.root + '/bare/db', tx, signed.held)
const key = publicKeyObject(Buffer.from(s.approver.signer.publicKey, 'base64')), msg = Buffer.from(decisionMessage(signed)), sig = Buffer.from(signed.signature, 'base64')
const g: number[] = [], v: number[] = [], b: number[] = [], N = Number(process.argv[3] ?? 900)
for (let i = 0; i < N; i++) {
  g.push((await life(s)).took)
  await pause(2); let t = performance.now(); verify(null, msg, key, sig); v.push(performance.now() - t)
  bare.prepare(randomBytes(16).toString('hex')); bare.repeat(0, 1); await pause(2); t = performance.now(); bare.repeat(1, 3); b.push(performance.now() - t); bare.repeat(3)
}
const q = (a: number[], p: number) => { a = a.slice(a.length/3).sort((x,y)=>x-y); return a[a.length*p|0]!*1e3 }
console.log([0.1, 0.25, 0.5, 0.75].map((p) => `p${p*100} ${q(g,p).toFixed(0)}/(${q(v,p).toFixed(0)}+${q(b,p).toFixed(0)})=${(q(g,p)/(q(v,p)+q(b,p)+2)).toFixed(2)}`).join('  '))
const mean = (a: number[]) => a.slice(a.length/3).reduce((x, y) => x + y) / (a.length*2/3)*1e3
console.log('mean', mean(g).toFixed(0), mean(v).toFixed(0), mean(b).toFixed(0), (mean(g)/(mean(v)+mean(b))).toFixed(2))
await s.close(); process.exit(0)
