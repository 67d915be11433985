import { setTimeout as pause } from 'node:timers/promises'
import { openView, signDecision } from '@countersign/core'
import { openStage } from './stage.ts'
const s = await openStage({ policy: 'version: 1\nrules:\n  - id: a\n    tool: [read_file, get_weather]\n    supervision: confirm\n' })
const call: any = process.argv[2] === 'bare' ? { tool: 'get_weather', args: { city: 'Vienna' }, description: { kind: 'read' } } : { tool: 'read_file', args: { path: 'src/index.ts' } }
const N = Number(process.argv[3] ?? 1500)
const times: number[] = []
for (let i = 0; i < N; i++) {
  const ran = Promise.withResolvers<number>(), held = Promise.withResolvers<any>()
  const stop = s.gate.subscribe((e) => { if (e.kind === 'held') held.resolve(e.view) })
  const over = s.gate.run(call, () => ran.resolve(performance.now()))
  const view = await held.promise; stop()
  const signed = signDecision(openView(view, s.ports.crypto), { kind: 'approve' }, s.approver.signer, { surface: 'b', at: Date.now() })
  await pause(process.argv[4] === 'fast' ? 0 : 2)
  const t = performance.now(); const r = (globalThis as any).decideNow = decideNow(s.desk, signed); times.push(await ran.promise - t)
  await r; await over
}
function decideNow(desk: any, signed: any) { return desk.decide(signed.held, signed) }
times.splice(0, N/3); times.sort((a,b)=>a-b)
console.log('p10', (times[times.length/10|0]!*1e3).toFixed(0), 'p50', (times[times.length>>1]!*1e3).toFixed(0))
await s.close()
