import { readTraceparent, type Telemetry } from '@countersign/core'
import { openTelemetry, registeredTelemetry } from '@countersign/telemetry'
import { onlyHeld, openWorld } from '@countersign/testing/gate/world'
import { context, metrics, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = `version: 1
rules:
  - { id: looks, tool: look, supervision: automatic }
  - { id: mcp, tool: files/look, supervision: automatic }
  - { id: jots, tool: jot, supervision: confirm }
  - { id: never, tool: wipe, supervision: deny }
`
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** The SDK as an agent's author sets it up, for one test. */
function sdk() {
  const spans = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }))
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter: points, exportIntervalMillis: 3_600_000 })
  const meters = new MeterProvider({ readers: [reader] })
  metrics.setGlobalMeterProvider(meters)
  onTestFinished(async () => {
    await meters.shutdown()
    for (const api of [trace, context, metrics]) api.disable()
  })
  return {
    spans: (): readonly ReadableSpan[] => spans.getFinishedSpans(),
    async points(name: string) {
      await meters.forceFlush()
      const all =
        points
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? []
      return all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
    },
  }
}

async function observedWorld(telemetry: Telemetry) {
  const world = await openWorld({ policy: POLICY, wrapPorts: (ports) => ({ ...ports, telemetry }) })
  onTestFinished(() => world.close())
  return world
}

const names = (spans: readonly ReadableSpan[]): readonly string[] => spans.map(({ name }) => name)

function named(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const [span, more] = spans.filter((one) => one.name === name)
  if (span === undefined || more !== undefined) throw new Error(`expected one span \`${name}\` in ${names(spans)}`)
  return span
}

describe('OpenTelemetry', () => {
  it('has a span for a call and one below it for each step', async () => {
    const { spans } = sdk()
    const { gate } = await observedWorld(await openTelemetry())
    await gate.run({ id: 'look-1', tool: { name: 'look', server: 'files' }, args: {} }, () => 'done')
    const found = spans()
    expect(names(found)).toEqual([
      ...['rate', 'judge', 'consume', 'run', 'settle'].map((step) => `countersign.${step}`),
      'execute_tool look',
    ])
    const whole = named(found, 'execute_tool look')
    expect(whole.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.call.id': 'look-1',
      'mcp.method.name': 'tools/call',
      'countersign.operation': 'run',
      'countersign.tool.server': 'files',
      'countersign.tool.kind': expect.any(String),
      'countersign.risk': expect.any(String),
      'countersign.supervision': expect.any(String),
      'countersign.rule': expect.any(String),
      'countersign.result': 'completed',
    })
    expect(whole.status.code).toBe(SpanStatusCode.UNSET)
    const { spanId, traceId } = whole.spanContext()
    for (const step of found.slice(0, -1)) {
      expect(step.parentSpanContext?.spanId).toBe(spanId)
      expect(step.spanContext().traceId).toBe(traceId)
    }
  })

  it('continues the trace that the call names', async () => {
    const { spans } = sdk()
    const { gate } = await observedWorld(await openTelemetry())
    await gate.run({ tool: 'look', args: {}, traceparent: PARENT }, () => 'done')
    const [, traceId, spanId] = readTraceparent(PARENT)?.split('-') ?? []
    const whole = named(spans(), 'execute_tool look')
    expect(whole.spanContext().traceId).toBe(traceId)
    expect(whole.parentSpanContext).toMatchObject({ spanId, isRemote: true })
  })

  it('continues the trace that is active where the gate is asked, unless the call names a valid one', async () => {
    const { spans } = sdk()
    const { gate } = await observedWorld(await openTelemetry())
    const agent = trace.getTracer('agent')
    await agent.startActiveSpan('agent', async (span) => {
      await gate.run({ tool: 'look', args: {}, traceparent: 'nonsense' }, () => 'done')
      span.end()
    })
    const { spanId, traceId } = named(spans(), 'agent').spanContext()
    const whole = named(spans(), 'execute_tool look')
    expect(whole.parentSpanContext?.spanId).toBe(spanId)
    expect(whole.spanContext().traceId).toBe(traceId)
  })

  it('shows the wait for a person as a step, and counts it', async () => {
    const { spans, points } = sdk()
    const world = await observedWorld(await openTelemetry())
    const running = world.gate.run({ tool: 'jot', args: { text: 'a' } }, () => 'done')
    await world.decide(await onlyHeld(world), { kind: 'reject' })
    expect(await running).toMatchObject({ outcome: 'rejected' })
    const whole = named(spans(), 'execute_tool jot')
    expect(whole.attributes).toMatchObject({ 'countersign.result': 'rejected', 'countersign.code': 'CS_REJECTED' })
    expect(whole.status.code).toBe(SpanStatusCode.UNSET)
    named(spans(), 'countersign.hold')
    const [calls] = await points('countersign.calls')
    expect(calls).toMatchObject({ value: 1, attributes: { outcome: 'rejected', supervision: 'confirm' } })
    const [decided] = await points('countersign.decision.duration')
    expect(decided).toMatchObject({ value: { count: 1 } })
    const [waiting] = await points('countersign.calls.waiting')
    expect(waiting).toMatchObject({ value: 0 })
  })

  it('marks a tool that fails as an error, and a denial as none', async () => {
    const { spans } = sdk()
    const { gate } = await observedWorld(await openTelemetry())
    await gate.run({ tool: 'look', args: {} }, () => {
      throw new Error('broken')
    })
    await gate.run({ tool: 'wipe', args: {} }, () => 'done')
    const failed = named(spans(), 'execute_tool look')
    expect(failed.status).toEqual({ code: SpanStatusCode.ERROR })
    expect(failed.attributes).toMatchObject({ 'error.type': 'failed' })
    const denied = named(spans(), 'execute_tool wipe')
    expect(denied.status.code).toBe(SpanStatusCode.UNSET)
    expect(denied.attributes).toMatchObject({ 'countersign.result': 'denied', 'countersign.rule': 'never' })
  })

  it('ends the step of a permit that is settled later below the call', async () => {
    const { spans } = sdk()
    const { gate } = await observedWorld(await openTelemetry())
    const permit = await gate.ask({ tool: 'look', args: {} })
    if (permit.kind !== 'permit') throw new Error('refused')
    await gate.settle(permit, 'completed')
    const whole = named(spans(), 'execute_tool look')
    expect(whole.attributes).toMatchObject({ 'countersign.result': 'permitted' })
    expect(named(spans(), 'countersign.settle').parentSpanContext?.spanId).toBe(whole.spanContext().spanId)
  })

  it('gets nothing of arguments, results, words or reasons', async () => {
    const canary = ['cana', 'ry-7f31'].join('')
    const { spans, points } = sdk()
    const world = await observedWorld(await openTelemetry())
    const { gate } = world
    const about = { said: canary, reasoning: canary, agent: { name: canary }, traceparent: canary }
    await gate.run({ tool: 'look', args: { text: canary }, ...about }, () => canary)
    await gate.run({ tool: 'look', args: { text: canary }, ...about }, () => {
      throw new Error(canary)
    })
    const running = gate.run({ tool: 'jot', args: { text: canary }, ...about }, () => canary)
    await world.decide(await onlyHeld(world), { kind: 'reject', reason: canary })
    await running
    await gate.run({ tool: 'look', args: { [canary]: () => canary }, ...about }, () => canary)
    const facts = spans().map(({ name, attributes, events, status, links }) => ({
      name,
      attributes,
      events,
      status,
      links,
    }))
    expect(facts.length).toBeGreaterThan(15)
    expect(
      JSON.stringify([facts, await points('countersign.calls'), await points('countersign.step.duration')]),
    ).not.toContain(canary)
  })

  it('is left out where no SDK is set up', async () => {
    const key = Symbol.for('opentelemetry.js.api.1')
    const known = Reflect.get(globalThis, key)
    Reflect.deleteProperty(globalThis, key)
    onTestFinished(() => void Reflect.set(globalThis, key, known))
    expect(await registeredTelemetry()).toBeUndefined()
  })
})
