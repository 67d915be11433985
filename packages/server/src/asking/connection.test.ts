import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { Duplex, PassThrough } from 'node:stream'
import type { Call, Gate } from '@countersign/core'
import { connectGate, homeMark, MAX_LINE_BYTES, openAskingToken } from '@countersign/node'
import { openServiceWorld, rawAnswer, type ServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { serveAsker } from './connection.ts'

const hello = (world: ServiceWorld, more = {}) =>
  `${JSON.stringify({ hello: { protocol: 1, version: '0.1.0', workspace: world.workspace, ...more } })}\n`

/** The lines a service answers to these bytes, until it closes the connection. */
async function told(world: ServiceWorld, bytes: string): Promise<readonly Record<string, unknown>[]> {
  return (await rawAnswer(world.service.socket, bytes))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

const error = (code: string) => ({ error: { code, message: expect.any(String) } })

describe('an asker’s first line', () => {
  it('is answered with its own session', async () => {
    const world = await openServiceWorld()
    const [one, other] = [await told(world, hello(world)), await told(world, hello(world))]
    expect(one).toMatchObject([
      {
        hello: {
          protocol: 1,
          version: '0.1.0',
          session: expect.stringMatching(/^[0-9a-f]{32}$/),
          home: homeMark(world.home.dir),
          program: expect.arrayContaining([process.execPath]),
        },
      },
    ])
    expect(one).not.toEqual(other)
  })

  it.each<[string, (world: ServiceWorld) => string, string]>([
    ['another protocol', (world) => hello(world, { protocol: 2 }), 'CS_PROTOCOL'],
    ['a missing protocol', (world) => hello(world, { protocol: null }), 'CS_PROTOCOL'],
    ['garbage', () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'CS_PROTOCOL'],
    ['binary garbage', () => '\u0000\u0001\u0002\n', 'CS_PROTOCOL'],
    ['an ask before the hello', () => '{"id":1,"do":"ask","call":{"tool":"look","args":{}}}\n', 'CS_PROTOCOL'],
    ['the root as workspace', (world) => hello(world, { workspace: '/' }), 'CS_WORKSPACE'],
    ['a system folder as workspace', (world) => hello(world, { workspace: '/usr' }), 'CS_WORKSPACE'],
    ['a workspace that depends on who looks', (world) => hello(world, { workspace: '/proc/self/cwd' }), 'CS_WORKSPACE'],
    ["the gate's home as workspace", (world) => hello(world, { workspace: world.home.dir }), 'CS_WORKSPACE'],
    ["a folder of the gate's home", (world) => hello(world, { workspace: `${world.home.dir}/keys` }), 'CS_WORKSPACE'],
    ['a missing workspace', (world) => hello(world, { workspace: '/nowhere/at/all' }), 'CS_WORKSPACE'],
    ['an endless line', () => 'x'.repeat(MAX_LINE_BYTES + 1), 'CS_CALL_TOO_LARGE'],
  ])('is refused for %s, with a fix', async (_, bytes, code) => {
    const world = await openServiceWorld()
    expect(await told(world, bytes(world))).toMatchObject([error(code)])
    expect(await told(world, hello(world))).toMatchObject([{ hello: {} }])
  })
})

describe('an asker that disconnects while it is admitted', () => {
  it('is still released', async () => {
    const world = await openServiceWorld()
    const [admitted, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const gate = { ...({} as Gate), session: 's', subscribe: () => () => {}, close: async () => closed.resolve() }
    const stream = new PassThrough()
    const served = serveAsker(stream, {
      version: '0.1.0',
      home: '',
      program: [],
      async admit() {
        await admitted.promise
        return { gate, newId: randomUUID, ticketKey: () => '', deadlineOf: async () => undefined }
      },
      report() {},
      turn: async () => {},
      drop: () => () => {},
    })
    stream.write(hello(world))
    await new Promise((resolve) => setImmediate(resolve))
    stream.destroy()
    await new Promise((resolve) => setImmediate(resolve))
    admitted.resolve()
    await served
    await closed.promise
  })
})

describe('an asker that floods the service (A31)', () => {
  it('has few calls judged at once, and leaves no work behind when it disconnects', async () => {
    const world = await openServiceWorld()
    const starts: (() => void)[] = []
    const gate = {
      ...({} as Gate),
      session: 's',
      subscribe: () => () => {},
      isConfirmationRequired: () =>
        new Promise<boolean>((resolve) => {
          starts.push(() => resolve(false))
        }),
      close: async () => {},
    } satisfies Gate
    const stream = new Duplex({ read() {}, write: (_, __, done) => done() })
    let dropped = ''
    const served = serveAsker(stream, {
      version: '0.1.0',
      home: '',
      program: [],
      admit: async () => ({ gate, newId: randomUUID, ticketKey: () => '', deadlineOf: async () => undefined }),
      report() {},
      turn: async () => {},
      drop(session) {
        dropped += `drop ${session};`
        return () => {
          dropped += 'forget'
        }
      },
    })
    stream.push(hello(world))
    for (let id = 1; id <= 5_000; id += 1)
      stream.push(`${JSON.stringify({ id, do: 'required', call: { tool: 'look', args: {} } })}\n`)
    await expect.poll(() => starts.length).toBe(32)
    starts[0]?.()
    await expect.poll(() => starts.length).toBe(33)
    expect(stream.readableLength, 'what does not fit is not read').toBeGreaterThan(100_000)
    stream.destroy()
    await new Promise((resolve) => setImmediate(resolve))
    for (const start of starts) start()
    await served
    expect(starts).toHaveLength(33)
    expect(dropped).toBe('drop s;forget')
  })

  it('answers each of its calls in the end', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const answers = Array.from({ length: 600 }, (_, n) => gate.isConfirmationRequired({ tool: 'look', args: { n } }))
    expect(new Set(await Promise.all(answers))).toEqual(new Set([false]))
    gate.close()
  })
})

describe('an asker whose long lines wait their turn', () => {
  /** A gate that keeps calls waiting, and an asker that was admitted. */
  async function waiting(turn: () => Promise<void>) {
    const world = await openServiceWorld()
    const asked: { readonly tool: Call['tool']; readonly signal: AbortSignal | undefined }[] = []
    const gate = {
      ...({} as Gate),
      session: 's',
      subscribe: () => () => {},
      ask: async ({ tool }, signal) => {
        asked.push({ tool, signal })
        await new Promise((resolve) => signal?.addEventListener('abort', resolve))
        throw new Error('withdrawn')
      },
      close: async () => {},
    } satisfies Gate
    const stream = new Duplex({ read() {}, write: (_, __, done) => done() })
    const served = serveAsker(stream, {
      version: '0.1.0',
      home: '',
      program: [],
      admit: async () => ({ gate, newId: randomUUID, ticketKey: () => '', deadlineOf: async () => undefined }),
      report() {},
      turn,
      drop: () => () => {},
    })
    stream.push(hello(world))
    return { asked, stream, served }
  }
  const ask = (id: number, tool: string, args: object) => `${JSON.stringify({ id, do: 'ask', call: { tool, args } })}\n`
  const long = { text: 'x'.repeat(20_000) }

  it('has its call withdrawn at once when it dies, and its long line is dropped', async () => {
    const turn = Promise.withResolvers<void>()
    const { asked, stream, served } = await waiting(() => turn.promise)
    stream.push(`${ask(1, 'short', {})}${ask(2, 'long', long)}`)
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]?.signal?.aborted).toBe(false)
    stream.destroy()
    await expect.poll(() => asked[0]?.signal?.reason).toBe('gone')
    turn.resolve()
    await served
    expect(asked.map(({ tool }) => tool)).toEqual(['short'])
  })

  it('is read line by line: a cancellation does not overtake its call', async () => {
    const turns: (() => void)[] = []
    const { asked, stream, served } = await waiting(() => new Promise((resolve) => turns.push(resolve)))
    stream.push(`${ask(1, 'first', long)}${ask(2, 'second', long)}`)
    await expect.poll(() => turns.length).toBe(1)
    stream.push(`${JSON.stringify({ id: 3, do: 'cancel', of: 2 })}\n`)
    turns[0]?.()
    await expect.poll(() => turns.length).toBe(2)
    for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve)) // for what is read
    turns[1]?.()
    await expect.poll(() => asked.find(({ tool }) => tool === 'second')?.signal?.aborted).toBe(true)
    expect(asked.map(({ tool, signal }) => [tool, signal?.aborted])).toEqual([
      ['first', false],
      ['second', true],
    ])
    stream.destroy()
    await served
  })
})

describe('a refused asker', () => {
  it('is disconnected, whether or not it leaves (L10)', async () => {
    const world = await openServiceWorld()
    const clinging = connect({ path: world.service.socket, allowHalfOpen: true })
    clinging.on('error', () => {})
    clinging.resume()
    clinging.write('garbage\n')
    await new Promise((resolve) => clinging.once('end', resolve))
    await expect.poll(async () => (await world.service.status()).askers).toBe(0)
    clinging.destroy()
  })
})

describe('a later line', () => {
  it.each<[string, string, string]>([
    ['garbage', 'nonsense\n', 'CS_PROTOCOL'],
    ['an invalid number', '{"id":"1","do":"ask","call":{}}\n', 'CS_PROTOCOL'],
    ['an invalid outcome', '{"id":1,"do":"settle","callId":"x","outcome":"approved"}\n', 'CS_PROTOCOL'],
    ['too long', `{"id":1,"do":"ask","call":{"tool":"${'x'.repeat(MAX_LINE_BYTES)}"}}\n`, 'CS_CALL_TOO_LARGE'],
    ['a decision', '{"id":1,"do":"decide","held":"x","decision":{"kind":"approve"}}\n', 'CS_ASKER'],
    ['a listing of other askers’ calls', '{"id":1,"do":"held"}\n', 'CS_ASKER'],
    ['a stop request', '{"id":1,"do":"stop"}\n', 'CS_ASKER'],
    ['a ticket', '{"id":1,"do":"ticket"}\n', 'CS_ASKER'],
  ])('that is %s ends the connection', async (_, line, code) => {
    const world = await openServiceWorld()
    expect(await told(world, `${hello(world)}${line}`)).toMatchObject([{ hello: {} }, error(code)])
    const attempts = async () => (await world.entries()).filter((entry) => entry['code'] === 'CS_ASKER')
    await expect.poll(attempts).toHaveLength(code === 'CS_ASKER' ? 1 : 0)
  })

  it('with a number in use ends the connection, and answers nothing in its place', async () => {
    const world = await openServiceWorld()
    const ask = '{"id":1,"do":"ask","call":{"tool":"deploy","args":{}}}\n'
    const again = '{"id":1,"do":"required","call":{"tool":"look","args":{}}}\n'
    const lines = await told(world, `${hello(world)}${ask}${again}`)
    expect(lines.filter((line) => 'error' in line)).toMatchObject([{ id: null, ...error('CS_PROTOCOL') }])
    expect(lines.some((line) => 'required' in line)).toBe(false)
  })

  it('can settle only calls that were allowed on this connection', async () => {
    const world = await openServiceWorld()
    const lines = '{"id":1,"do":"settle","callId":"made-up","outcome":"completed"}\n'
    expect(await told(world, `${hello(world)}${lines}`)).toMatchObject([
      { hello: {} },
      { id: 1, ...error('CS_PERMIT_FORGED') },
    ])
  })
})

describe('an asker over the socket', () => {
  it('gets a permit at once for an automatic call, and reports its outcome', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const permit = await gate.ask({ tool: 'look', args: { at: 'x' } })
    expect(permit).toMatchObject({ kind: 'permit', args: { at: 'x' }, approvedBy: null })
    if (permit.kind === 'permit') await gate.settle(permit, 'failed', 'no such thing')
    expect((await world.entries()).at(-1)).toMatchObject({ kind: 'failed', detail: 'no such thing' })
    expect(await gate.isConfirmationRequired({ tool: 'deploy', args: {} })).toBe(true)
    expect(await gate.isConfirmationRequired({ tool: 'look', args: {} })).toBe(false)
    gate.close()
  })

  it('cannot lower its own call’s risk (L9)', async () => {
    const world = await openServiceWorld({ policy: 'version: 1\npreset: balanced\n' })
    const gate = await world.connect()
    const kind = 'read' as const
    for (const call of [
      { tool: 'bash', args: { command: 'rm -rf x' } },
      { tool: 'send_money', args: { amount: 50_000 } },
      { tool: 'frobnicate', args: {} },
    ]) {
      expect(await gate.isConfirmationRequired(call), call.tool).toBe(true)
      expect(await gate.isConfirmationRequired({ ...call, description: { kind } }), call.tool).toBe(true)
    }
    const listed = { tool: 'list_directory', args: { path: '.' } }
    expect(await gate.isConfirmationRequired(listed)).toBe(false)
    expect(await gate.isConfirmationRequired({ ...listed, description: { kind: 'delete' } })).toBe(true)
    gate.close()
  })

  it('cannot choose which arguments a grant leaves open', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const call = (to: string) => ({ tool: 'jot', args: { to }, volatile: ['to'] })
    const asked = gate.ask(call('harmless'))
    const [view] = await world.held(1)
    const exact = view?.offers.find(({ scope }) => scope.kind === 'exact')
    const lifetime = exact?.lifetimes[0]
    if (view === undefined || exact === undefined || lifetime === undefined)
      throw new Error('no exact grant is offered')
    await world.decide(view, { kind: 'approve', grant: { scope: exact.scope, lifetime } })
    expect(await asked).toMatchObject({ kind: 'permit' })
    expect(await gate.isConfirmationRequired(call('harmless'))).toBe(false)
    expect(await gate.isConfirmationRequired(call('everybody'))).toBe(true)
    gate.close()
  })

  it('does not reset a limit by reconnecting, or from another folder (A31)', async () => {
    const policy =
      'version: 1\nlimits: { calls: [3/h, 2/session] }\nrules:\n  - { tool: look, supervision: automatic }\n'
    const world = await openServiceWorld({ policy })
    const isHeld = async (workspace: string): Promise<readonly boolean[]> => {
      const gate = await connectGate({ address: { socket: world.service.socket }, workspace, version: '0.1.0' })
      const asked: boolean[] = []
      for (let n = 0; n < 3; n += 1) {
        const call = { tool: 'look', args: { n } }
        asked.push(await gate.isConfirmationRequired(call))
        if (asked.at(-1) === true) continue
        const permit = await gate.ask(call)
        if (permit.kind === 'permit') await gate.settle(permit, 'completed')
      }
      gate.close()
      return asked
    }
    expect(await isHeld(world.workspace)).toEqual([false, false, true])
    expect(await isHeld(world.workspace)).toEqual([false, true, true])
    expect(await isHeld(temporaryFolder())).toEqual([true, true, true])
  })

  it('is told once that its call is held, before it gets the answer', async () => {
    const world = await openServiceWorld()
    const lines: string[] = []
    const socket = connect(world.service.socket)
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => lines.push(...text.split('\n').filter((line) => line !== '')))
    socket.write(`${hello(world)}{"id":7,"do":"ask","call":{"id":"one","tool":"deploy","args":{}}}\n`)
    const [view] = await world.held(1)
    if (view !== undefined) await world.decide(view, { kind: 'approve' })
    await expect.poll(() => lines.length).toBe(3)
    socket.destroy()
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { hello: {} },
      { id: 7, held: { callId: 'one', expiresAt: expect.any(Number) } },
      { id: 7, permit: { callId: 'one' } },
    ])
  })

  it('can make many calls at once', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const names = Array.from({ length: 200 }, (_, n) => `file-${n}`)
    const answers = await Promise.all(names.map((name) => gate.ask({ tool: 'look', args: { name } })))
    expect(answers.map((answer) => answer.kind === 'permit' && answer.args['name'])).toEqual(names)
    gate.close()
  })

  it('has its calls withdrawn when it disconnects; a late decision has no effect', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const asked = gate.ask({ id: 'left', tool: 'deploy', args: {} })
    const [view] = await world.held(1)
    gate.close()
    expect(await asked).toMatchObject({ kind: 'refusal', outcome: 'refused', code: 'CS_SERVICE_GONE' })
    await expect.poll(async () => (await world.entries()).at(-1)).toMatchObject({ kind: 'withdrawn', call: 'left' })
    expect(view && (await world.decide(view, { kind: 'approve' }))).toMatchObject({
      accepted: false,
      state: 'withdrawn',
    })
  })

  it('leaves an allowed call as unknown if it never reports the outcome (L7)', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    expect(await gate.ask({ id: 'gone', tool: 'look', args: {} })).toMatchObject({ kind: 'permit' })
    gate.close()
    await expect
      .poll(async () => (await world.entries()).at(-1))
      .toMatchObject({ kind: 'unknown', call: 'gone', detail: 'the agent disconnected' })
  })

  it('cancels one call and keeps the others', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const stop = new AbortController()
    const one = gate.ask({ id: 'one', tool: 'deploy', args: { n: 1 } }, { signal: stop.signal })
    const other = gate.ask({ id: 'other', tool: 'deploy', args: { n: 2 } })
    await world.held(2)
    stop.abort()
    expect(await one).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
    const [view] = await world.held(1)
    expect(view && (await world.decide(view, { kind: 'approve' }))).toMatchObject({ accepted: true })
    expect(await other).toMatchObject({ kind: 'permit', callId: 'other' })
    gate.close()
  })

  it('sees the same outcome as the approver if cancel and approval race', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    for (let round = 0; round < 12; round += 1) {
      const stop = new AbortController()
      const asked = gate.ask({ id: `race-${round}`, tool: 'deploy', args: {} }, { signal: stop.signal })
      const [view] = await world.held(1)
      if (view === undefined) throw new Error('nothing is held')
      const deciding = world.decide(view, { kind: 'approve' })
      if (round % 3 === 0) await Promise.resolve()
      else await new Promise((resolve) => setTimeout(resolve, round % 3))
      stop.abort()
      const [answer, receipt] = [await asked, await deciding]
      expect(receipt.accepted).toBe(answer.kind === 'permit')
      if (answer.kind === 'permit') await gate.settle(answer, 'completed')
    }
    gate.close()
  })

  it('submits durably, and collects on another connection', async () => {
    const world = await openServiceWorld()
    const one = await world.connect()
    const ticket = await one.submit({ id: 'later', tool: 'deploy', args: { to: 'prod' } })
    one.close()
    const other = await world.connect()
    const told = Promise.withResolvers<unknown>()
    const waited = other.wait(ticket, { onHeld: told.resolve })
    expect(await told.promise).toMatchObject({ callId: 'later', expiresAt: expect.any(Number) })
    // Collecting judges the call again, which may replace the request that waits.
    const [view] = await world.held(1)
    expect(view && (await world.decide(view, { kind: 'approve' }))).toMatchObject({ accepted: true })
    expect(await waited).toMatchObject({ kind: 'permit', callId: 'later', args: { to: 'prod' } })
    other.close()
  })

  it('cannot collect or withdraw another’s call, by its id alone or from elsewhere (A10)', async () => {
    const world = await openServiceWorld()
    const one = await world.connect()
    const ticket = await one.submit({ id: 'later', tool: 'jot', args: {} })
    const guess = { ...ticket, key: ticket.key.replace(/./g, '0') }
    const other = await world.connect()
    expect(await other.wait(guess)).toMatchObject({ kind: 'refusal', code: 'CS_TICKET_UNKNOWN' })
    await expect(other.withdraw(guess)).rejects.toMatchObject({ code: 'CS_TICKET_UNKNOWN' })
    const address = { socket: world.service.socket }
    const elsewhere = await connectGate({ address, workspace: temporaryFolder(), version: '0.1.0' })
    expect(await elsewhere.wait(ticket)).toMatchObject({ kind: 'refusal', code: 'CS_TICKET_UNKNOWN' })
    await other.withdraw(ticket)
    expect(await one.wait(ticket)).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
    for (const gate of [one, other, elsewhere]) gate.close()
  })

  it('gets the same ticket for the same call only on its own connection (A10)', async () => {
    const world = await openServiceWorld()
    const [one, other] = [await world.connect(), await world.connect()]
    const call = { id: 'job-1', tool: 'jot', args: { note: 'a' } }
    const ticket = await one.submit(call)
    expect(await one.submit(call)).toEqual(ticket)
    await expect(other.submit(call)).rejects.toMatchObject({ code: 'CS_CALL_DUPLICATE' })
    for (const gate of [one, other]) gate.close()
  })

  it('needs the token over TCP, and nobody learns how much of it matches', async () => {
    const world = await openServiceWorld({ askingPort: 0 })
    const { token } = openAskingToken(world.home)
    const port = world.service.askingPort ?? 0
    const at = { workspace: world.workspace, version: '0.1.0' }
    for (const wrong of ['', 'x', token.slice(0, -1), `${token}x`])
      await expect(connectGate({ ...at, address: { host: '127.0.0.1', port, token: wrong } })).rejects.toMatchObject({
        code: 'CS_SIGN_IN',
      })
    const gate = await connectGate({ ...at, address: { host: '127.0.0.1', port, token } })
    expect(await gate.ask({ tool: 'look', args: {} })).toMatchObject({ kind: 'permit' })
    gate.close()
  })

  it('is dropped if it does not read, and the others are served (A31)', async () => {
    const world = await openServiceWorld()
    const deaf = connect(world.service.socket)
    deaf.pause()
    deaf.write(hello(world))
    const line = JSON.stringify({ id: 0, do: 'ask', call: { tool: 'look', args: { text: 'x'.repeat(200_000) } } })
    const closed = new Promise<void>((resolve) => deaf.on('close', () => resolve()))
    deaf.on('error', () => {})
    for (let n = 1; n <= 100; n += 1) deaf.write(`${line.replace('"id":0', `"id":${n}`)}\n`)
    const gate = await world.connect()
    expect(await gate.ask({ tool: 'look', args: {} })).toMatchObject({ kind: 'permit' })
    gate.close()
    await expect.poll(async () => (await world.service.status()).askers).toBe(0)
    deaf.resume()
    await closed
  })
})
