import { setImmediate as turn } from 'node:timers/promises'
import { openStage } from './stage.ts'

const s = await openStage()
const call =
  process.argv[2] === 'git'
    ? { tool: 'execute_command', args: { command: 'git status' } }
    : { tool: 'read_file', args: { path: 'src/index.ts' } }
const per = 3000
for (let k = 0; k < Number(process.argv[3] ?? 4); k++) {
  const c = process.cpuUsage()
  const times: number[] = []
  for (let i = 0; i < per; i++) {
    const t = performance.now()
    await s.gate.run(call, () => {})
    times.push((performance.now() - t) * 1e3)
    await turn()
  }
  const u = process.cpuUsage(c)
  times.sort((a, b) => a - b)
  console.log(
    'user',
    (u.user / per).toFixed(0),
    'sys',
    (u.system / per).toFixed(0),
    'p10',
    times[(per / 10) | 0]!.toFixed(0),
    'p50',
    times[per >> 1]!.toFixed(0),
  )
}
await s.close()
