import { setImmediate as turn } from 'node:timers/promises'
import { openStage } from './stage.ts'

const s = await openStage()
const call =
  process.argv[2] === 'git'
    ? { tool: 'execute_command', args: { command: 'git status' } }
    : { tool: 'read_file', args: { path: 'src/index.ts' } }
const n = Number(process.argv[3] ?? 6000)
const times: number[] = []
for (let i = 0; i < n; i++) {
  const t = performance.now()
  await s.gate.run(call, () => {})
  times.push(performance.now() - t)
  await turn()
}
times.splice(0, n / 3)
times.sort((a, b) => a - b)
console.log('p10', times[(times.length / 10) | 0] * 1e3, 'p50', times[times.length >> 1] * 1e3)
await s.close()
