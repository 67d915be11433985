import { type CallTrace, readTraceparent, type Telemetry, type TracedOperation } from '@countersign/core'
import type { Context, Span } from '@opentelemetry/api'

type Api = typeof import('@opentelemetry/api')

/** Outcomes that are errors of a tool or the gate. A denial or a rejection is an answer, and no error. */
const ERRORS: ReadonlySet<string> = new Set(['failed', 'refused', 'unknown', 'stale'])

const MOST_NAME = 128

/**
 * Traces calls with OpenTelemetry: one span for each operation on a call, and below it one for each step. The span continues
 * the agent's trace if the call names one, otherwise the trace that is active where it was asked. INVARIANT: attributes are the ones
 * named here, so arguments, results and words never become one.
 */
export function otelTraces(
  api: Pick<Api, 'context' | 'ROOT_CONTEXT' | 'SpanStatusCode' | 'trace'>,
  scope: string,
): Telemetry {
  const tracer = api.trace.getTracer(scope)
  return {
    begin(operation) {
      const active = api.context.active()
      const beginning = Date.now()
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'countersign.operation': operation }
      let parent = active
      let root: Span | undefined
      let below: Context = active
      let step: Span | undefined

      /** The span of the operation: begun late, since a call names its parent only once it was read. */
      function whole(): Span {
        if (root !== undefined) return root
        root = tracer.startSpan(spanName(operation, null), { startTime: beginning, attributes }, parent)
        below = api.trace.setSpan(parent, root)
        return root
      }

      function leave(): void {
        step?.end()
        step = undefined
      }

      const trace: CallTrace = {
        adopt(traceparent) {
          const remote = spanContextOf(traceparent)
          if (remote !== undefined) parent = api.trace.setSpanContext(api.ROOT_CONTEXT, remote)
        },
        enter(name) {
          leave()
          whole()
          step = tracer.startSpan(`countersign.${name}`, { attributes: { 'countersign.step': name } }, below)
        },
        judged({ callId, tool, server, kind, risk, supervision, rule }) {
          const span = whole()
          span.updateName(spanName(operation, tool))
          span.setAttributes({
            'gen_ai.tool.name': tool,
            'gen_ai.tool.call.id': callId,
            ...(server === null ? {} : { 'mcp.method.name': 'tools/call', 'countersign.tool.server': server }),
            'countersign.tool.kind': kind,
            'countersign.risk': risk,
            'countersign.supervision': supervision,
            'countersign.rule': rule,
          })
        },
        end({ callId, result, code }) {
          const span = whole()
          const isError = ERRORS.has(result)
          const status = { code: api.SpanStatusCode.ERROR }
          if (isError) step?.setStatus(status)
          leave()
          span.setAttribute('countersign.result', result)
          if (callId !== null) span.setAttribute('gen_ai.tool.call.id', callId)
          if (code !== null) span.setAttribute('countersign.code', code)
          if (isError) span.setStatus(status).setAttribute('error.type', code ?? result)
          span.end()
        },
      }
      return trace
    },
    problem() {}, // counted by the metrics
  }
}

/** SECURITY: A31 an agent chooses the tool's name: its span is named by it as the conventions ask, but not at any length. */
function spanName(operation: TracedOperation, tool: string | null): string {
  if (operation === 'decide') return 'countersign.decide'
  return tool === null ? 'execute_tool' : `execute_tool ${tool.slice(0, MOST_NAME)}`
}

/** The position of a remote span, from its valid `traceparent`. */
function spanContextOf(traceparent: string) {
  const [, traceId, spanId, flags] = readTraceparent(traceparent)?.split('-') ?? []
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: Number(flags), isRemote: true }
}
