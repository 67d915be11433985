import { chownSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectGate } from './remote-gate.ts'

const HELLO = '{"hello":{"protocol":1,"version":"0.1.0","session":"s"}}\n'

/** A socket server that answers each line with the test's reply; undefined ends the connection. */
async function standIn(answer: (line: Record<string, unknown>, socket: Socket) => string | undefined) {
  const path = join(temporaryFolder(), 's')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.trim().split('\n')) {
        const said = answer(JSON.parse(line), socket)
        if (said === undefined) socket.destroy()
        else socket.write(said)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return (timeoutMs = 30_000) => connectGate({ address: { socket: path }, workspace: '/', version: '0.1.0', timeoutMs })
}

describe('connecting to a service', () => {
  it('reports that no service is running', async () => {
    const address = { socket: join(temporaryFolder(), 'none') }
    await expect(connectGate({ address, workspace: '/', version: '0.1.0' })).rejects.toMatchObject({
      code: 'CS_SERVICE',
      message: expect.stringContaining('countersign serve'),
    })
  })

  it.each<[string, string | undefined, string]>([
    ['hangs up', undefined, 'CS_SERVICE_GONE'],
    ['never answers', '', 'CS_SERVICE'],
    ['is another program', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'CS_SERVICE'],
    ['uses another protocol version', '{"hello":{"protocol":2,"version":"9","session":"s"}}\n', 'CS_SERVICE'],
    ['refuses', '{"id":null,"error":{"code":"CS_WORKSPACE","message":"no"}}\n', 'CS_WORKSPACE'],
    ['refuses with an unknown error code', '{"id":null,"error":{"code":"CS_NEW","message":"no"}}\n', 'CS_SERVICE'],
  ])('reports that the service %s', async (_, said, code) => {
    const connect = await standIn(() => said)
    await expect(connect(said === '' ? 200 : 30_000)).rejects.toMatchObject({ code })
  })
})

describe('a service that fails while a call waits', () => {
  it.each<[string, string | undefined]>([
    ['disconnects', undefined],
    ['sends an invalid line', 'nonsense\n'],
    ['ends the connection with an error', '{"id":null,"error":{"code":"CS_SERVICE_GONE","message":"stopping"}}\n'],
    ['answers something else', '{"id":1,"done":true}\n'],
    ['answers with an error', '{"id":1,"error":{"code":"CS_INTERNAL","message":"broken"}}\n'],
  ])('allows nothing when it %s (L3)', async (_, said) => {
    const connect = await standIn((line) => ('hello' in line ? HELLO : said))
    const gate = await connect()
    expect(await gate.ask({ id: 'x', tool: 'look', args: {} })).toMatchObject({
      kind: 'refusal',
      callId: 'x',
      outcome: 'refused',
    })
    gate.close()
    expect(await gate.ask({ tool: 'look', args: {} })).toMatchObject({ kind: 'refusal' })
    await expect(gate.submit({ tool: 'look', args: {} })).rejects.toMatchObject({ code: expect.stringMatching(/^CS_/) })
  })

  it('refuses a call that is too long for one line, and keeps the connection', async () => {
    const connect = await standIn((line) => ('hello' in line ? HELLO : `{"id":${line['id']},"required":false}\n`))
    const gate = await connect()
    expect(await gate.ask({ tool: 'look', args: { text: 'x'.repeat(1024 * 1024) } })).toMatchObject({
      kind: 'refusal',
      code: 'CS_CALL_TOO_LARGE',
    })
    expect(await gate.isConfirmationRequired({ tool: 'look', args: {} })).toBe(false)
    gate.close()
  })
})

/** A service that says hello and then sends only the test's lines; time moves only when the test moves it. */
async function frozen() {
  const heard: Record<string, unknown>[] = []
  let other: Socket | undefined
  const connect = await standIn((line, socket) => {
    other = socket
    if ('hello' in line) return HELLO
    heard.push(line)
    return ''
  })
  const gate = await connect()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
    gate.close()
  })
  return { gate, heard, say: (line: object) => other?.write(`${JSON.stringify(line)}\n`) }
}

const PERMIT = { kind: 'permit', callId: 'x', callDigest: '', args: {}, approvedBy: null }
const LATE = { kind: 'refusal', callId: 'x', outcome: 'refused', code: 'CS_SERVICE_GONE' }

describe('the deadline of a call', () => {
  it('is enforced by the asker too, and a late permit is reported as unknown (A4, L7)', async () => {
    const { gate, heard, say } = await frozen()
    const asked = gate.ask({ id: 'x', tool: 'look', args: {}, timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(11_000)
    expect(await asked).toMatchObject(LATE)
    vi.useRealTimers()
    say({ id: 1, permit: PERMIT })
    await expect
      .poll(() => heard.find((line) => line['do'] === 'settle'))
      .toMatchObject({ callId: 'x', outcome: 'unknown' })
    expect(heard.find((line) => line['do'] === 'cancel')).toMatchObject({ of: 1 })
  })

  it('is two minutes by default, for every line', async () => {
    const { gate } = await frozen()
    const asked = gate.ask({ id: 'x', tool: 'look', args: {} })
    const submitted = expect(gate.submit({ tool: 'look', args: {} })).rejects.toMatchObject({ code: 'CS_SERVICE_GONE' })
    await vi.advanceTimersByTimeAsync(130_000)
    expect(await asked).toMatchObject(LATE)
    await submitted
  })

  it('is the held call’s own deadline while it is held', async () => {
    const { gate, say } = await frozen()
    const held = Promise.withResolvers<void>()
    const asked = gate.ask({ id: 'x', tool: 'look', args: {}, timeoutMs: 600_000 }, { onHeld: () => held.resolve() })
    say({ id: 1, held: { callId: 'x', expiresAt: Date.now() + 600_000 } })
    await held.promise
    await vi.advanceTimersByTimeAsync(600_000)
    const early = await Promise.race([asked, Promise.resolve('still waiting')])
    expect(early).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await asked).toMatchObject(LATE)
  })
})

describe('a service that sends no deadline for a held call', () => {
  it('has that call refused, and no other call waits longer (A4)', async () => {
    const { gate, say } = await frozen()
    const held = Promise.withResolvers<void>()
    const odd = gate.ask({ id: 'x', tool: 'look', args: {} }, { onHeld: () => held.resolve() })
    const other = gate.ask({ id: 'x', tool: 'look', args: {}, timeoutMs: 1_000 })
    say({ id: 1, held: { callId: 'x' } })
    await held.promise
    await vi.advanceTimersByTimeAsync(11_000)
    expect(await odd).toMatchObject(LATE)
    expect(await other).toMatchObject(LATE)
  })
})

describe('a callback for held calls', () => {
  it('can throw without ending the connection', async () => {
    const { gate, say } = await frozen()
    const onHeld = vi.fn(() => {
      throw new Error('no')
    })
    const asked = gate.ask({ id: 'x', tool: 'look', args: {} }, { onHeld })
    say({ id: 1, held: { callId: 'x', expiresAt: Date.now() + 60_000 } })
    say({ id: 1, permit: PERMIT })
    expect(await asked).toMatchObject({ kind: 'permit' })
    expect(onHeld).toHaveBeenCalledOnce()
  })
})

describe('a socket of another user', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'is trusted only if that user is named as the gate’s (A3; needs root to test)',
    async () => {
      const path = join(temporaryFolder(), 's')
      const server = createServer((socket) => void socket.on('error', () => {}).write(HELLO))
      await new Promise<void>((resolve) => server.listen(path, resolve))
      onTestFinished(() => void server.close())
      chownSync(path, 54_321, -1)
      const connect = (owner?: number) =>
        connectGate({
          address: { socket: path, ...(owner === undefined ? {} : { owner }) },
          workspace: '/',
          version: '0.1.0',
        })
      await expect(connect()).rejects.toMatchObject({
        code: 'CS_SERVICE',
        message: expect.stringContaining('user 54321'),
      })
      await expect(connect(54_322)).rejects.toMatchObject({ code: 'CS_SERVICE' })
      const gate = await connect(54_321)
      gate.close()
    },
  )
})
