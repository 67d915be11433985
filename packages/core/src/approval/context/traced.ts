import { asCountersignError } from '../../errors.ts'
import type { CallTrace, TracedEnd, TracedOperation } from '../../ports/telemetry.ts'
import type { Receipt } from '../decision/decision.ts'
import type { Permit } from '../outcome/permit.ts'
import type { Judgement } from '../request/judgement.ts'
import type { GateContext } from './gate-context.ts'

/** How an operation can end, as its caller is told. */
interface Told {
  readonly kind: string
  readonly callId?: string
  readonly outcome?: string
  readonly code?: string
}

/** Traces of permits that their holder settles later. */
const permits = new WeakMap<object, CallTrace>()

/** Does one operation under a trace of its own, if this gate is observed. */
export function traced<T extends Told>(
  operation: TracedOperation,
  context: GateContext,
  work: (context: GateContext) => Promise<T>,
): Promise<T> {
  const trace = context.ports.telemetry?.begin(operation)
  if (trace === undefined) return work(context)
  const told = work({
    ...context,
    trace,
    judge: (call, session, prompt) => context.judge(call, session, prompt, trace),
  })
  return told.then(
    (answer) => {
      if (answer.kind === 'permit') permits.set(answer, trace)
      trace.end(endOf(answer))
      return answer
    },
    (error: unknown) => {
      const { code } = asCountersignError(error, 'CS_INTERNAL', '')
      trace.end({ callId: null, result: 'refused', code })
      throw error
    },
  )
}

/** Settles a permit under the trace that it was given under. */
export async function tracedSettling(permit: Permit, outcome: string, work: () => Promise<void>): Promise<void> {
  const trace = permits.get(permit)
  trace?.enter('settle')
  let result = 'unsettled'
  try {
    await work()
    result = outcome
  } finally {
    trace?.end({ callId: permit.callId, result, code: null })
  }
}

const GOES_ON: Readonly<Record<string, string>> = { permit: 'permitted', ticket: 'submitted', question: 'asked' }

function endOf({ kind, callId, outcome, code }: Told): TracedEnd {
  const result = kind === 'refusal' ? (outcome ?? 'refused') : (GOES_ON[kind] ?? kind)
  return { callId: callId ?? null, result, code: code ?? null }
}

/** Takes a decision under a trace of its own. */
export async function tracedDecision(
  context: GateContext,
  decide: (context: GateContext) => Promise<Receipt>,
): Promise<Receipt> {
  const told = await traced('decide', context, async (context) => {
    const receipt = await decide(context)
    return { kind: receipt.accepted ? receipt.state : 'refused', callId: receipt.held, receipt }
  })
  return told.receipt
}

/** Tells a trace what its call was found to be. */
export function traceJudgement(trace: CallTrace, { call, risk, supervision, verdict }: Judgement): void {
  const { id: callId, tool, descriptor } = call
  const { name, server } = tool
  const rule = verdict.rule.id
  trace.judged({ callId, tool: name, server, kind: descriptor.kind, risk: risk.level, supervision, rule })
}
