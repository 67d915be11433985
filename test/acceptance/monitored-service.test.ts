import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { openAskingToken } from '@countersign/node'
import { logged } from '@countersign/telemetry'
import { recordingTelemetry } from '@countersign/testing/gate/recording-telemetry'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { startAgent } from '@countersign/testing/hosts/stand-in-agent'
import { parsePrometheus, sampleOf } from '@countersign/testing/prometheus'
import { STORE, tamper } from '@countersign/testing/store/test-store'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const APP = 'https://app.example'

const metricsOf = async ({ service }: ServiceWorld): Promise<string> =>
  (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text()

describe('the health of a service', () => {
  it('is one word, which needs no sign-in', async () => {
    const { service } = await openServiceWorld({ metricsPort: 0 })
    for (const base of [service.url, `http://127.0.0.1:${service.metricsPort}`])
      for (const path of ['/health', '/ready']) {
        const answer = await fetch(`${base}${path}`)
        expect([answer.status, await answer.text()]).toEqual([200, 'ok\n'])
      }
  })

  it('is not ready while a policy file is invalid, and ready again after', async () => {
    const { service, home } = await openServiceWorld()
    const answer = async (): Promise<readonly unknown[]> => {
      const found = await fetch(`${service.url}/ready`)
      return [found.status, await found.text()]
    }
    writeFileSync(home.policy, 'version: 1\nrulez: []\n')
    await expect.poll(answer).toEqual([503, 'policy\n'])
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    writeFileSync(home.policy, 'version: 1\n')
    await expect.poll(answer).toEqual([200, 'ok\n'])
  })

  it('is not ready while the store takes no writes', async () => {
    const { service, home } = await openServiceWorld()
    await tamper(home, STORE === 'postgres' ? 'UPDATE head SET version = 99' : 'PRAGMA user_version = 99')
    await expect.poll(async () => (await fetch(`${service.url}/ready`)).text()).toBe('store\n')
  })
})

describe('the metrics of a service', () => {
  it('count calls by outcome, and what is held now', async () => {
    const world = await openServiceWorld({ metricsPort: 0 })
    const gate = await world.connect()
    onTestFinished(() => gate.close())
    const permit = await gate.ask({ tool: 'look', args: {} })
    await gate.settle(permit, 'completed')
    const asked = gate.ask({ tool: 'jot', args: { text: 'a' } })
    const [view] = await world.held(1)
    await expect.poll(async () => sampleOf(await metricsOf(world), 'countersign_held_calls')).toBe(1)
    expect(sampleOf(await metricsOf(world), 'countersign_waiting_calls')).toBe(1)
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'reject' })
    await asked
    const text = await metricsOf(world)
    expect(sampleOf(text, 'countersign_calls_total', { outcome: 'completed' })).toBe(1)
    expect(sampleOf(text, 'countersign_calls_total', { outcome: 'rejected' })).toBe(1)
    expect(sampleOf(text, 'countersign_decisions_total', { result: 'rejected' })).toBe(1)
    expect(sampleOf(text, 'countersign_decision_seconds_count')).toBe(1)
    expect(sampleOf(text, 'countersign_ready')).toBe(1)
  })

  it('need a sign-in on the port of the inbox, and none of an asker', async () => {
    const world = await openServiceWorld({ askingPort: 0 })
    const { service, home } = world
    expect((await fetch(`${service.url}/api/v1/metrics`)).status).toBe(401)
    const { token } = openAskingToken(home)
    expect((await world.fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })).status).toBe(403)
    const answer = await world.fetch('/metrics')
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    parsePrometheus(await answer.text())
  })

  it('have a port that leads nowhere else (L8, A17)', async () => {
    const { service, cookie } = await openServiceWorld({ metricsPort: 0 })
    const base = `http://127.0.0.1:${service.metricsPort}`
    for (const path of ['/', '/api/v1/held', '/api/v1/metrics', '/metrics/../api/v1/held'])
      expect((await fetch(`${base}${path}`, { headers: { cookie } })).status).toBe(404)
    expect((await fetch(`${base}/metrics`, { method: 'POST', body: '{}' })).status).toBe(403)
    expect((await fetch(`${base}/metrics`, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      get(`${base}/metrics`, { headers: { host: 'evil.example' } }, ({ statusCode }) => resolve(statusCode)).on(
        'error',
        reject,
      )
    })
    expect(rebound).toBe(421)
  })

  it('do not grow with the names that an agent chooses (A31)', async () => {
    const world = await openServiceWorld({ metricsPort: 0 })
    const gate = await world.connect()
    onTestFinished(() => gate.close())
    const ask = async (name: string): Promise<unknown> =>
      gate.ask({ tool: { name, server: name }, args: {}, timeoutMs: 1 })
    await ask('first')
    const before = parsePrometheus(await metricsOf(world)).length
    for (let at = 0; at < 50; at += 1) await ask(`tool"${at}`)
    expect(parsePrometheus(await metricsOf(world))).toHaveLength(before)
  })
})

describe('the trace of an agent', () => {
  it('comes with a call on the socket', async () => {
    const telemetry = recordingTelemetry()
    const world = await openServiceWorld({ telemetry })
    const gate = await world.connect()
    onTestFinished(() => gate.close())
    await gate.ask({ tool: 'look', args: {}, traceparent: PARENT })
    expect(telemetry.traces.at(-1)).toMatchObject({ operation: 'ask', parent: PARENT })
  })

  it('comes with the header of a page’s request, unless its call names one', async () => {
    const telemetry = recordingTelemetry()
    const world = await openServiceWorld({ telemetry, pages: { port: 0, origins: [APP] } })
    const { token } = openAskingToken(world.home)
    const leaving = new AbortController()
    onTestFinished(() => leaving.abort())
    const post = (path: string, body: string, more: object = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${world.service.pagePort}${path}`, {
        method: 'POST',
        headers: { origin: APP, 'content-type': 'application/json', ...more },
        body,
        signal: leaving.signal,
      })
    const hello = { protocol: 1, version: '0.1.0', workspace: world.workspace, token }
    const opened = await post('/v1/channel', JSON.stringify({ hello }))
    const reader = opened.body?.pipeThrough(new TextDecoderStream()).getReader()
    const channel = String(JSON.parse((await reader?.read())?.value?.split('\n')[0] ?? '').channel)
    const other = PARENT.replace('4bf9', '4bf8')
    const send = (id: number, call: object, traceparent: string): Promise<Response> =>
      post('/v1/lines', JSON.stringify({ id, do: 'ask', call }), { 'countersign-channel': channel, traceparent })
    await send(1, { tool: 'look', args: {} }, PARENT)
    await until('the first call', () => telemetry.traces.length === 1 && telemetry.only('ask').ends.length > 0)
    await send(2, { tool: 'look', args: {}, traceparent: other }, PARENT)
    await send(3, { tool: 'look', args: {} }, 'nonsense')
    await until('all calls', () => telemetry.traces.filter(({ ends }) => ends.length > 0).length === 3)
    expect(telemetry.traces.map(({ parent }) => parent)).toEqual([PARENT, other, null])
  })

  it('comes with the environment of a hook', async () => {
    const telemetry = recordingTelemetry()
    const world = await openServiceWorld({ telemetry })
    const agent = await startAgent({ home: world.home.dir, workspace: world.workspace })
    const event = {
      ...{ session_id: 's1', transcript_path: '/nowhere', cwd: world.workspace, permission_mode: 'default' },
      ...{ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'echo hi' }, tool_use_id: 't1' },
    }
    await agent.run(`TRACEPARENT=${PARENT} ${agent.hook} PreToolUse`, JSON.stringify(event))
    expect(telemetry.traces[0]).toMatchObject({ operation: 'ask', parent: PARENT })
  })
})

describe('the log of a service', () => {
  it('has a line for each call, and nothing of its arguments or of any header', async () => {
    const canary = ['cana', 'ry-7f31'].join('')
    const lines: string[] = []
    const write = (line: string): void => void lines.push(line)
    const json = logged('json', write)
    const world = await openServiceWorld({ telemetry: json, metricsPort: 0, askingPort: 0 })
    const gate = await world.connect(`label-${canary}`)
    onTestFinished(() => gate.close())
    const secret = { text: canary, nested: { token: canary } }
    const about = { said: canary, reasoning: canary, confirmationMessage: canary, agent: { name: canary } }
    const permit = await gate.ask({ id: 'look-1', tool: 'look', args: secret, ...about, traceparent: canary })
    await gate.settle(permit, 'failed', canary)
    const asked = gate.ask({ id: 'jot-1', tool: 'jot', args: secret, ...about })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'reject', reason: canary })
    expect(await asked).toMatchObject({ outcome: 'rejected' })
    await world.fetch('/metrics', { headers: { 'x-secret': canary, authorization: `Bearer ${canary}` } })
    await fetch(`http://127.0.0.1:${world.service.metricsPort}/${canary}`, { headers: { cookie: canary } })
    await gate.ask({ tool: 'look', args: { when: canary, huge: 'x'.repeat(2_000_000) } }).catch(() => {})
    const told = lines.map((line) => JSON.parse(line))
    expect(told.map(({ event, call, outcome }) => [event, call, outcome])).toEqual(
      expect.arrayContaining([
        ['answered', 'look-1', 'permitted'],
        ['answered', 'look-1', 'failed'],
        ['held', 'jot-1', undefined],
        ['decision', 'jot-1', 'rejected'],
        ['answered', 'jot-1', 'rejected'],
      ]),
    )
    const { token } = openAskingToken(world.home)
    for (const text of [...lines, await metricsOf(world)])
      for (const planted of [canary, token, world.cookie]) expect(text).not.toContain(planted)
  })
})
