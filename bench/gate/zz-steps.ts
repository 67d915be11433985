import { setImmediate as turn } from 'node:timers/promises'
import { openStage } from './stage.ts'
import { boundPorts } from '../../packages/core/src/ports/bounded-ports.ts'
import { openContext } from '../../packages/core/src/gate-context.ts'
import { freezeCall } from '../../packages/core/src/call/freeze-call.ts'
import { decomposeCall } from '../../packages/core/src/command/decompose-call.ts'
import { gatherCircumstances } from '../../packages/core/src/policy/gather-circumstances.ts'
import { rateRisk } from '../../packages/core/src/risk/rate-risk.ts'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate.ts'
import { withPatience } from '../../packages/core/src/policy/patience.ts'
import { runCheckers } from '../../packages/core/src/safety/run-checkers.ts'
import { strictest } from '../../packages/core/src/policy/supervision.ts'
import { passUnasked } from '../../packages/core/src/approval/pass.ts'
import { findDrift } from '../../packages/core/src/execute/recheck.ts'
import { judgedEntry, stepEntry } from '../../packages/core/src/approval/entries.ts'
import { rowOf } from '../../packages/core/src/approval/hold.ts'
import { spendPermit } from '../../packages/core/src/approval/permit.ts'
import { measureCall } from '../../packages/core/src/policy/measure.ts'
import { mustBeDurable } from '../../packages/core/src/approval/context.ts'
import { settle } from '../../packages/core/src/execute/settle.ts'
const s = await openStage()
const given: any = process.argv[2] === 'git' ? { tool: 'execute_command', args: { command: 'git status' } } : { tool: 'read_file', args: { path: 'src/index.ts' } }
const ports = boundPorts(s.ports), places = s.places
const open = await openContext(ports, { places, session: 'session' })
const context: any = { ...open }
const { clock, crypto } = ports
const log = new Map<string, number[]>(); let last = 0
const mark = (n: string) => { const t = performance.now(); let a = log.get(n); if (!a) log.set(n, a = []); a.push(t - last); last = performance.now() }
const N = Number(process.argv[3] ?? 5000)
for (let i = 0; i < N; i++) {
  const begun = last = performance.now()
  await open.refreshPolicy(); mark('refreshPolicy')
  const { policy } = open.policy
  const session = open.session
  const id = crypto.randomId(); mark('randomId')
  const call = freezeCall(given, { crypto, session, cwd: places.workspace, newId: () => id, maxBytes: open.argumentBytes }); mark('freeze')
  const command = decomposeCall(call); mark('decompose')
  const grants = await open.grants.of(session); mark('grants')
  const { circumstances, named } = await gatherCircumstances(call, command, { ports, places, limits: policy.limits, grants }); mark('gather')
  const risk = rateRisk(call, command, circumstances); mark('risk')
  const verdict = withPatience(evaluatePolicy(call, risk, policy, circumstances), given.timeoutMs); mark('policy')
  const safety = await runCheckers(open.checkers, verdict.checks, { call, risk, places }, clock); mark('checkers')
  const supervision = strictest([verdict.supervision, safety.raise, 'automatic'])
  const judgement: any = { given: { ...given, id: call.id, args: call.args }, call, named, circumstances, risk, verdict, safety, supervision }; mark('judgement')
  const passed: any = passUnasked(judgement); mark('pass')
  await findDrift(judgement, null, ports.targets); mark('drift')
  spendPermit(passed.permit, call); mark('spend')
  const now = clock.now()
  measureCall(call, risk); mark('measure')
  const je = judgedEntry(judgement, crypto); mark('judgedEntry')
  const se = stepEntry('started', call.id, now, { digest: call.digest, by: null, edited: false }); mark('stepEntry')
  const row = rowOf(judgement, 'ask', context); mark('rowOf')
  await context.commit({ entries: [je, se], open: { call: { ...row, state: 'started' }, maxHeldInSession: Infinity, maxHeld: Infinity }, durable: mustBeDurable(risk.level) }); mark('commit1')
  await settle(passed.permit, 'completed', null, context); mark('settle')
  last = begun; mark('TOTAL')
  await turn()
}
const q = (a: number[]) => { a = a.slice(a.length/3).sort((x,y)=>x-y); return (a[a.length>>1]!*1e3).toFixed(1) }
let sum = 0
for (const [k, v] of log) { console.log(k.padEnd(16), q(v)); if (k !== 'TOTAL') sum += Number(q(v)) }
console.log('sum', sum.toFixed(0))
await s.close(); process.exit(0)
