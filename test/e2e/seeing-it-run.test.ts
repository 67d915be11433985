import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectGate, openHome, type RemoteGate } from '@countersign/node'
import { COMMAND, COMMAND_ENV } from '@countersign/testing/command/command'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf } from '@countersign/testing/command/spawn-cli'
import { sampleOf } from '@countersign/testing/prometheus'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const POLICY = 'version: 1\nrules:\n  - { tool: look, supervision: automatic }\n'

interface Span {
  readonly name: string
  readonly traceId: string
  readonly attributes: Readonly<Record<string, unknown>>
}

function place() {
  const folder = temporaryFolder()
  const [home, workspace] = [join(folder, 'home'), join(folder, 'project')]
  for (const one of [home, workspace]) mkdirSync(one, { mode: 0o700 })
  writeFileSync(join(home, 'policy.yaml'), POLICY, { mode: 0o600 })
  return { folder, home, workspace }
}

/** A program that sets up an OpenTelemetry SDK before the command; its spans are appended to a file. */
function sdkIn(folder: string) {
  const [program, spans] = [join(folder, 'sdk.mjs'), join(folder, 'spans.jsonl')]
  const module = (name: string): string => JSON.stringify(import.meta.resolve(name))
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs'
import { trace } from ${module('@opentelemetry/api')}
import { SimpleSpanProcessor, TracerProvider } from ${module('@opentelemetry/sdk-trace')}
const exporter = {
  export(spans, done) {
    for (const span of spans)
      appendFileSync(${JSON.stringify(spans)}, JSON.stringify({ name: span.name, traceId: span.spanContext().traceId, attributes: span.attributes }) + '\\n')
    done({ code: 0 })
  },
  async shutdown() {},
}
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
`,
  )
  const read = (): readonly Span[] =>
    existsSync(spans)
      ? readFileSync(spans, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Span)
      : []
  return { before: ['--import', program], read }
}

function start(
  argv: readonly string[],
  cwd: string,
  before: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const child = spawn(process.execPath, [...before, ...COMMAND, ...argv], {
    cwd,
    env: { ...COMMAND_ENV, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Starts a service, and waits until it says where its metrics are. */
async function serve(
  at: { readonly home: string; readonly workspace: string },
  flags: readonly string[],
  before: readonly string[] = [],
) {
  const child = start(
    ['serve', '--home', at.home, '--port', '0', '--metrics-port', '0', ...flags],
    at.workspace,
    before,
  )
  const ended = endOf(child)
  let said = ''
  child.stderr?.on('data', (text: string) => {
    said += text
  })
  const metrics = await until('the metrics’ URL', () => /metrics at (\S+)/.exec(said)?.[1])
  const connect = async (): Promise<RemoteGate> => {
    const socket = join(openHome(at.home).dir, 'run/asking.sock')
    const gate = await until('the agents’ socket', () =>
      connectGate({ address: { socket }, workspace: at.workspace, version: '0.1.0' }).catch(() => undefined),
    )
    onTestFinished(() => gate.close())
    return gate
  }
  const stop = async () => {
    child.kill('SIGTERM')
    return ended
  }
  return { metrics, connect, stop }
}

describe('countersign serve', () => {
  it('shows a call in its log, its metrics and its traces', async () => {
    const at = place()
    const sdk = sdkIn(at.folder)
    const { metrics, connect, stop } = await serve(at, ['--log', 'json'], sdk.before)
    const gate = await connect()
    const permit = await gate.ask({ id: 'look-1', tool: 'look', args: { at: 1 }, traceparent: PARENT })
    await gate.settle(permit, 'completed')
    const text = await (await fetch(metrics)).text()
    expect(sampleOf(text, 'countersign_calls_total', { outcome: 'completed' })).toBe(1)
    expect(await (await fetch(new URL('/ready', metrics))).text()).toBe('ok\n')
    const { stdout, stderr } = await stop()
    expect(stderr).toContain('service stopped')
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { level: 'info', event: 'answered', call: 'look-1', outcome: 'permitted', tool: 'look' },
      { level: 'info', event: 'answered', call: 'look-1', outcome: 'completed', step: 'settle' },
    ])
    const spans = sdk.read()
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([PARENT.split('-')[1]]))
    expect(spans.find(({ name }) => name === 'execute_tool look')?.attributes).toMatchObject({
      'gen_ai.tool.call.id': 'look-1',
      'countersign.result': 'permitted',
    })
  })

  it.each([
    ['text', /^\S+ INFO answered call=look-1 .*outcome=permitted .*tool=look .*$/],
    ['off', /^$/],
  ])('logs %s', async (format, expected) => {
    const at = place()
    const { connect, stop } = await serve(at, ['--log', format])
    const gate = await connect()
    await gate.ask({ id: 'look-1', tool: 'look', args: {} })
    const { stdout } = await stop()
    expect(stdout.split('\n')[0]).toMatch(expected)
  })

  it('refuses other formats and ports', async () => {
    const at = place()
    const run = (...flags: readonly string[]) =>
      runInProcess(['serve', '--port', '0', ...flags], { cwd: at.workspace, home: at.home })
    expect((await run('--log', 'xml')).stderr).toContain('`--log` must be json, text or off, not `xml`')
    expect((await run('--metrics-port', 'x')).stderr).toContain('must be a port')
  })
})

describe('countersign exec', () => {
  it('is part of the trace of its environment, if an SDK is loaded before it', async () => {
    const at = place()
    const sdk = sdkIn(at.folder)
    const env = { TRACEPARENT: PARENT }
    const child = start(['exec', '--home', at.home, '--no-input', '--', 'ls'], at.workspace, sdk.before, env)
    await endOf(child)
    const spans = sdk.read()
    expect(spans.map(({ name }) => name)).toContain('countersign.rate')
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([PARENT.split('-')[1]]))
  })
})
