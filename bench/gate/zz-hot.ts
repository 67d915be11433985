import { openStage } from './stage.ts'
import { boundPorts } from '../../packages/core/src/ports/bounded-ports.ts'
import { openContext } from '../../packages/core/src/gate-context.ts'
import { freezeCall } from '../../packages/core/src/call/freeze-call.ts'
import { decomposeCall } from '../../packages/core/src/command/decompose-call.ts'
import { gatherCircumstances } from '../../packages/core/src/policy/gather-circumstances.ts'
import { rateRisk } from '../../packages/core/src/risk/rate-risk.ts'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate.ts'
import { findDrift } from '../../packages/core/src/execute/recheck.ts'
import { judgedEntry, stepEntry } from '../../packages/core/src/approval/entries.ts'
import { rowOf } from '../../packages/core/src/approval/hold.ts'
const s = await openStage()
const given: any = process.argv[2] === 'git' ? { tool: 'execute_command', args: { command: 'git status' } } : { tool: 'read_file', args: { path: 'src/index.ts' } }
const ports = boundPorts(s.ports), places = s.places
const open = await openContext(ports, { places, session: 'session' })
const context: any = { ...open }
const { crypto } = ports
const { policy } = open.policy
const freeze = () => freezeCall(given, { crypto, session: open.session, cwd: places.workspace, newId: crypto.randomId, maxBytes: open.argumentBytes })
const call = freeze(), command = decomposeCall(call)
const gather = () => gatherCircumstances(call, command, { ports, places, limits: policy.limits, grants: [] })
const { circumstances, named } = await gather()
const risk = rateRisk(call, command, circumstances), verdict = evaluatePolicy(call, risk, policy, circumstances)
const judgement: any = { given, call, named, circumstances, risk, verdict, safety: { findings: [], raise: 'automatic', blocked: false, proposed: null }, supervision: 'automatic' }
const now = Date.now()
let id = 0
const mk = (n: number): any => ({ entries: [judgedEntry(judgement, crypto), stepEntry('started', call.id, now, { digest: call.digest, by: null, edited: false })], open: { call: { ...rowOf(judgement, 'ask', context), id: 'x' + n + Math.random(), state: 'started' }, maxHeldInSession: Infinity, maxHeld: Infinity }, durable: false })
const ops: Record<string, () => unknown> = {
  refresh: () => open.refreshPolicy(), freeze, decompose: () => decomposeCall(call), grants: () => open.grants.of(open.session), gather, risk: () => rateRisk(call, command, circumstances),
  policy: () => evaluatePolicy(call, risk, policy, circumstances), drift: () => findDrift(judgement, null, ports.targets), judgedEntry: () => judgedEntry(judgement, crypto), stepEntry: () => stepEntry('started', call.id, now, { digest: call.digest, by: null, edited: false }), rowOf: () => rowOf(judgement, 'ask', context),
  'mk+commit1': () => context.commit(mk(id++)), mk: () => mk(id++),
}
for (const [k, f] of Object.entries(ops)) { const isAsync = f() instanceof Promise; const run = async (n: number) => { if (isAsync) for (let i = 0; i < n; i++) await f(); else for (let i = 0; i < n; i++) f() }
  await run(5000); const ts = []; for (let b = 0; b < 30; b++) { const t = performance.now(); await run(100); ts.push((performance.now() - t) * 10) } ts.sort((a, b) => a - b); console.log(k.padEnd(12), ts[15]!.toFixed(1)) }
await s.close(); process.exit(0)
