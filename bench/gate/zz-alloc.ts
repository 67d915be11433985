import { setImmediate as turn } from 'node:timers/promises'
import { Session } from 'node:inspector/promises'
import { openStage } from './stage.ts'
const s = await openStage()
const call = process.argv[2] === 'git' ? { tool: 'execute_command', args: { command: 'git status' } } : { tool: 'read_file', args: { path: 'src/index.ts' } }
for (let i = 0; i < 2000; i++) { await s.gate.run(call, () => {}); await turn() }
const session = new Session(); session.connect()
await session.post('HeapProfiler.startSampling', { samplingInterval: 1024, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true } as any)
const N = 2000
for (let i = 0; i < N; i++) { await s.gate.run(call, () => {}); await turn() }
const { profile } = await session.post('HeapProfiler.stopSampling')
const self = new Map<string, number>(), incl = new Map<string, number>(); let total = 0
const walk = (n: any, path: string[]) => { const k = `${n.callFrame.functionName || '(anon)'} ${n.callFrame.url.split('/').slice(-2).join('/')}:${n.callFrame.lineNumber+1}`; self.set(k, (self.get(k) ?? 0) + n.selfSize); total += n.selfSize; let sum = n.selfSize; for (const c of n.children) sum += walk(c, [...path, k]); if (!path.includes(k)) incl.set(k, (incl.get(k) ?? 0) + sum); return sum }
walk(profile.head, [])
console.log('bytes per op', total / N)
for (const m of [self, incl]) { console.log('---'); for (const [k, v] of [...m].sort((a, b) => b[1] - a[1]).slice(0, 40)) console.log((v / N).toFixed(0).padStart(7), k) }
await s.close(); process.exit(0)
