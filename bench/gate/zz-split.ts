import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { openStage } from './stage.ts'

// time spent in sqlite natives per call
let spent = 0
const { prepare } = DatabaseSync.prototype
DatabaseSync.prototype.prepare = function (this: any, sql: string) {
  const s: any = prepare.call(this, sql)
  for (const m of ['run', 'get', 'all']) {
    const f = s[m].bind(s)
    Object.defineProperty(s, m, {
      value: (...v: any[]) => {
        const t = performance.now()
        const r = f(...v)
        spent += performance.now() - t
        return r
      },
    })
  }
  return s
} as any
const s = await openStage()
const call =
  process.argv[2] === 'git'
    ? { tool: 'execute_command', args: { command: 'git status' } }
    : { tool: 'read_file', args: { path: 'src/index.ts' } }
const n = Number(process.argv[3] ?? 6000)
const yieldEach = process.argv[4] !== 'tight'
const times: number[] = [],
  sql: number[] = []
for (let i = 0; i < n; i++) {
  spent = 0
  const t = performance.now()
  await s.gate.run(call, () => {})
  times.push(performance.now() - t)
  sql.push(spent)
  if (yieldEach || i % 50 === 0) await turn()
}
const q = (a: number[]) => {
  a = a.slice(n / 3).sort((x, y) => x - y)
  return [0.1, 0.25, 0.5, 0.75].map((p) => (a[(a.length * p) | 0]! * 1e3).toFixed(0)).join(' ')
}
console.log('total p10 25 50 75', q(times), 'sqlite', q(sql))
await s.close()
