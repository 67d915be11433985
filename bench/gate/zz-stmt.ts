import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { BareStore } from './bare-store.ts'
import { recordWrites } from './recorded-writes.ts'
import { openStage } from './stage.ts'

const call = { tool: 'read_file', args: { path: 'src/index.ts' } }
const r = recordWrites()
const s0 = await openStage()
await s0.gate.run(call, () => {})
r.take()
const { callId } = await s0.gate.run(call, () => {})
const tx = r.take()
await s0.close()
r.stop()
let log: Map<string, number[]>
const gateLog = new Map<string, number[]>(),
  bareLog = new Map<string, number[]>()
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (this: any, sql: string) {
  const s: any = prepare.call(this, sql)
  for (const m of ['run', 'get', 'all']) {
    const f = s[m].bind(s)
    Object.defineProperty(s, m, {
      value: (...v: any[]) => {
        const t = performance.now()
        const r = f(...v)
        const d = performance.now() - t
        let a = log.get(sql)
        if (!a) log.set(sql, (a = []))
        a.push(d)
        return r
      },
    })
  }
  return s
} as any
log = gateLog
const s = await openStage()
const bare = await BareStore.open(s.root + '/bare/db', tx, callId)
for (let i = 0; i < 5000; i++) {
  log = gateLog
  await s.gate.run(call, () => {})
  await turn()
  log = bareLog
  bare.prepare(randomBytes(16).toString('hex'))
  bare.repeat()
  await turn()
}
const q = (a: number[]) => {
  a = a.slice(a.length / 3).sort((x, y) => x - y)
  return (a[a.length >> 1]! * 1e3).toFixed(1)
}
for (const [k, v] of gateLog)
  if (v.length > 3000)
    console.log(k.slice(0, 60).padEnd(62), v.length, 'gate', q(v), 'bare', bareLog.has(k) ? q(bareLog.get(k)!) : '')
await s.close()
