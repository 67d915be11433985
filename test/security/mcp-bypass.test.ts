import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@countersign/testing/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LinePeer, Rpc } from '../mcp/support/line-peer.ts'
import { type RecordedServer, recordedServer } from '../mcp/support/recorded-server.ts'
import { openRelayHome, type RelayHome, startClient } from '../mcp/support/relay-home.ts'

const POLICY = `version: 1
rules:
  - { tool: "*/echo", supervision: automatic, up_to: critical }
  - { tool: "*/note", supervision: confirm }
  - { tool: "*/ask", supervision: confirm }
`
/** Part of every line that must not reach the server. */
const MARK = 'smuggled'
const CALL = `{"jsonrpc":"2.0","id":"i","method":"tools/call","params":{"name":"note","arguments":{"text":"${MARK}"}}}`
const ECHO = CALL.replace('"note"', '"echo"')
const PASSES = (params: string) => `{"jsonrpc":"2.0","method":"notifications/anything","params":${params}}`

/** Lines, as bytes, that never reach a server. */
const REFUSED: readonly (readonly [name: string, line: string | Buffer])[] = [
  ['a batch of one call', `[${CALL}]`],
  ['a batch with a call after a ping', `[{"jsonrpc":"2.0","id":"p","method":"ping"},${CALL}]`],
  ['a batch in a batch', `[[${CALL}]]`],
  [
    'a batch of notifications',
    `[{"jsonrpc":"2.0","method":"tools/call","params":{"name":"note","arguments":{"text":"${MARK}"}}}]`,
  ],
  ['a batch after spaces', `  \t[${CALL}]`],
  ['two methods, the harmless one first', CALL.replace('"method"', '"method":"ping","method"')],
  ['two methods, the harmless one last', CALL.replace('"tools/call"', '"tools/call","method":"ping"')],
  ['two methods, one of them escaped', CALL.replace('"method"', '"method":"ping","\\u006dethod"')],
  ['two params', CALL.replace('"params"', '"params":{"name":"echo","arguments":{}},"params"')],
  ['two tool names', CALL.replace('"name":"note"', '"name":"echo","name":"note"')],
  ['two tool names, one escaped', CALL.replace('"name":"note"', '"name":"echo","n\\u0061me":"note"')],
  ['two arguments', CALL.replace('"arguments"', '"arguments":{},"arguments"')],
  ['two values of a nested argument', CALL.replace(`"${MARK}"`, `{"a":[{"b":1,"b":"${MARK}"}]}`)],
  ['two ids', CALL.replace('"id":"i"', '"id":"h","id":"i"')],
  ['a call that is a notification', CALL.replace('"id":"i",', '')],
  ['a call whose id is null', CALL.replace('"id":"i"', '"id":null')],
  ['a call whose id is an object', CALL.replace('"id":"i"', '"id":{}')],
  ['a call that is also a response', CALL.replace('"id":"i"', '"id":"i","result":{}')],
  ['the method in capitals', CALL.replace('tools/call', 'Tools/Call')],
  ['the method with a space', CALL.replace('tools/call', 'tools/call ')],
  ['the method with a NUL', CALL.replace('tools/call', 'tools/call\\u0000')],
  ['a tool that is not listed', CALL.replace('"note"', '"wipe"')],
  ['a tool name in capitals', CALL.replace('"note"', '"Note"')],
  ['a tool name with an invisible character', CALL.replace('"note"', '"no\\u200bte"')],
  ['a tool name that is not a string', CALL.replace('"note"', '["note"]')],
  ['arguments that are not an object', CALL.replace(`{"text":"${MARK}"}`, `["${MARK}"]`)],
  ['arguments nested 100,000 levels deep', CALL.replace(`"${MARK}"`, `${'['.repeat(1e5)}"${MARK}"${']'.repeat(1e5)}`)],
  ['arguments nested one level too deep', CALL.replace(`"${MARK}"`, `${'['.repeat(65)}"${MARK}"${']'.repeat(65)}`)],
  ['4 MB of arguments', CALL.replace(MARK, `${MARK}${'x'.repeat(4 * 1024 * 1024)}`)],
  ['a lone surrogate in the arguments', CALL.replace(MARK, `${MARK}\\ud800`)],
  ['a number beyond the safe integers', CALL.replace(`"${MARK}"`, `["${MARK}",9007199254740993]`)],
  ['invalid UTF-8', Buffer.from(CALL.replace(MARK, `${MARK}\xff`), 'latin1')],
  ['an overlong encoding', Buffer.from(CALL.replace(MARK, `${MARK}\xc0\xae`), 'latin1')],
  ['a byte order mark', Buffer.from(`\ufeff${CALL}`)],
  ['an id beyond the safe integers', CALL.replace('"i"', '9007199254740993')],
  ['a call with a field that is not shown', CALL.replace('"name"', '"extra":{"really":"all"},"name"')],
  ['a forged request state', CALL.replace('"name"', '"requestState":"forged","name"')],
  ['a task as an argument', CALL.replace('"text"', '"countersign/task":{"ttl":1},"text"')],
  ['a second method, hidden by a NUL', CALL.replace('"method"', '"method":"ping","method\\u0000"')],
  ['a second method, hidden by a space', CALL.replace('"method"', '"method":"ping","method "')],
  ['a second tool name, hidden by a NUL', CALL.replace('"name":"note"', '"name":"echo","name\\u0000":"note"')],
  ['second arguments, hidden by a NUL', ECHO.replace('"arguments"', '"arguments":{},"arguments\\u0000"')],
  ['an argument in two cases', ECHO.replace('"text"', '"text":"plain","Text"')],
  ['an argument in two cases, one by a look-alike letter', ECHO.replace('"text"', '"kind":"plain","\\u212aind"')],
  ['a second argument, hidden by a NUL', ECHO.replace('"text"', '"text":"plain","text\\u0000"')],
  ['a nested argument with a NUL in its name', ECHO.replace(`"${MARK}"`, `{"a":[{"b\\u0000":"${MARK}"}]}`)],
  ['two calls on a line', CALL + CALL],
  ['a call after a ping on its line', `{"jsonrpc":"2.0","id":"p","method":"ping"}${CALL}`],
  ['a truncated call', CALL.slice(0, -1)],
  ['a call in a comment', `/*${CALL}*/`],
  ['not JSON-RPC 2.0', CALL.replace('"2.0"', '"1.0"')],
]

/** Valid messages in which a server that also splits lines at carriage returns would find a call. */
const SPLITTERS: readonly (readonly [name: string, text: string])[] = [
  ['carriage returns around the parameters', PASSES(`\r${CALL}\r`)],
  ['a carriage return before a member', PASSES(`{"a":\r${CALL}\r}`)],
  ['carriage returns in a response', `{"jsonrpc":"2.0","id":"none","result":\r${CALL}\r}`],
]

describe('nothing reaches a server without asking', () => {
  let root: string
  let home: RelayHome
  let server: RecordedServer
  let peer: LinePeer

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bypass-')))
    home = openRelayHome(root, POLICY)
    server = recordedServer(home, 'a')
    peer = await startClient(server.command)
    await peer.ask({ id: 'list', method: 'tools/list' })
  }, 120_000)

  afterAll(async () => {
    await peer?.end()
    await home?.close()
    rmSync(root, { recursive: true, force: true })
  })

  /** Forbidden lines that reached the server. */
  let seen = 0
  function smuggled(): readonly string[] {
    const lines = server.lines()
    const news = lines.slice(seen).filter((line) => line.includes(MARK))
    seen = lines.length
    return news
  }

  /** Waits until everything sent before has reached the server or was refused. */
  async function settled(id: string): Promise<void> {
    const args = { message: id }
    const answer = await peer.ask({ id, method: 'tools/call', params: { name: 'echo', arguments: args } })
    expect(answer['result']).toMatchObject({ content: [{ text: `done: ${JSON.stringify(args)}` }] })
  }

  afterEach(async () => {
    for (const view of await home.held(0)) await home.decide(view, { kind: 'reject' })
    await gone()
  })

  it('passes allowed messages, as a control for the other tests', async () => {
    peer.send({ id: 'good', method: 'tools/call', params: { name: 'note', arguments: { text: 'asked' } } })
    const [view] = await home.held(1)
    expect(server.effects()).toEqual([])
    if (view !== undefined) await home.decide(view, { kind: 'approve' })
    await peer.until((message) => message.id === 'good')
    expect(server.effects()).toEqual([{ name: 'note', args: { text: 'asked' } }])
  })

  it.each(REFUSED)('refuses %s', async (name, line) => {
    peer.send(line)
    peer.send('\n')
    await settled(name)
    expect(smuggled()).toEqual([])
    expect(await home.held(0)).toEqual([])
  })

  it.each(SPLITTERS)('passes no call hidden for servers that split lines differently: %s', async (name, text) => {
    peer.send(text)
    peer.send('\n')
    await settled(name)
    expect(server.effects().filter(({ name }) => name !== 'echo')).toEqual([{ name: 'note', args: { text: 'asked' } }])
  })

  /** Expects the call to be held and not at the server, then withdraws it. */
  async function heldThenCancelled(id: Rpc['id']): Promise<void> {
    const [view] = await home.held(1)
    expect(view).toBeDefined()
    expect(smuggled()).toEqual([])
    peer.send({ method: 'notifications/cancelled', params: { requestId: id } })
    await gone()
  }

  async function gone(): Promise<void> {
    await until('nothing to be held', async () => (await home.held(0)).length === 0)
  }

  it('holds a call whose method is escaped', async () => {
    peer.send(`${CALL.replace('tools/call', '\\u0074ools\\/c\\u0061ll').replace('"i"', '"escaped"')}\n`)
    await heldThenCancelled('escaped')
  })

  it('holds a call that arrives byte by byte, once', async () => {
    for (const byte of Buffer.from(`${CALL.replace('"i"', '"bytes"')}\n`)) {
      peer.send(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const views = await home.held(1)
    expect(views).toHaveLength(1)
    await heldThenCancelled('bytes')
  })

  it('holds a call that arrives in two halves with a pause', async () => {
    const line = `${CALL.replace('"i"', '"halves"')}\n`
    peer.send(line.slice(0, 60))
    await new Promise((resolve) => setImmediate(resolve))
    peer.send(line.slice(60))
    peer.send({ id: 'between', method: 'ping' })
    await peer.until((message) => message.id === 'between')
    await heldThenCancelled('halves')
  })

  it('holds a call with unrequested input responses, and sends it without them', async () => {
    const params = { name: 'note', arguments: { text: 'answered' }, inputResponses: { sure: { action: 'accept' } } }
    const answer = peer.ask({ id: 'unasked', method: 'tools/call', params })
    const [view] = await home.held(1)
    if (view !== undefined) await home.decide(view, { kind: 'approve' })
    await answer
    const sent = server.lines().filter((line) => line.includes('answered'))
    expect(sent).toHaveLength(1)
    expect(sent.join()).not.toContain('inputResponses')
  })

  it('refuses an id that is in use, and keeps its call', async () => {
    peer.send(`${CALL.replace('"i"', '"twice"')}\n`)
    await home.held(1)
    peer.send({ id: 'twice', method: 'ping' })
    const answer = await peer.until((message) => message.id === 'twice')
    expect(answer['error']).toBeDefined()
    await heldThenCancelled('twice')
  })

  it('does not treat an unrequested response of the client as an approval', async () => {
    peer.send(`${CALL.replace('"i"', '"answered"')}\n`)
    await home.held(1)
    for (const id of ['answered', 'countersign-1', 1, 0])
      peer.send({ id, result: { action: 'accept', content: { approve: true } } })
    await settled('after answers')
    expect(await home.held(1)).toHaveLength(1)
    await heldThenCancelled('answered')
  })

  describe('a multi-round call', () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    }
    const ask = (id: string, what: string, more: object = {}) =>
      peer.send({ id, method: 'tools/call', params: { name: 'ask', arguments: { what }, _meta: meta, ...more } })
    const answers = { inputResponses: { sure: { action: 'accept', content: {} } } }
    const ran = () => server.effects().filter(({ name }) => name === 'ask')

    /** Asks, approves, and returns the request state of the response. */
    async function firstRound(id: string, what: string): Promise<string> {
      ask(id, what)
      const [view] = await home.held(1)
      if (view !== undefined) await home.decide(view, { kind: 'approve' })
      const answer = await peer.until((message) => message.id === id)
      expect(answer['result']).toMatchObject({ resultType: 'input_required' })
      return answer['result'].requestState
    }

    async function refused(id: string): Promise<void> {
      const answer = await peer.until((message) => message.id === id)
      expect(answer['error'] ?? answer['result'].isError).toBeTruthy()
      expect(await home.held(0)).toEqual([])
    }

    it('asks once for the same arguments, and accepts the state once', async () => {
      const requestState = await firstRound('r1', 'lamp')
      ask('r2', 'lamp', { ...answers, requestState })
      await peer.until((message) => message.id === 'r2')
      expect(ran()).toEqual([{ name: 'ask', args: { what: 'lamp' }, requestState: 'state of lamp' }])
      ask('r3', 'lamp', { ...answers, requestState })
      await refused('r3')
      expect(ran()).toHaveLength(1)
    })

    it('refuses changed arguments and tasks in later rounds', async () => {
      const before = ran().length
      const requestState = await firstRound('c1', 'lamp')
      ask('c2', 'bomb', { ...answers, requestState })
      await refused('c2')
      ask('c3', 'lamp', { ...answers, requestState, task: { ttl: 1 } })
      await refused('c3')
      expect(ran()).toHaveLength(before)
    })

    it('refuses an unknown state, and asks again if a response has no question', async () => {
      const before = ran().length
      await firstRound('f1', 'lamp')
      ask('f2', 'lamp', { ...answers, requestState: 'state of a stranger' })
      await refused('f2')
      ask('f3', 'never asked', { ...answers })
      const [view] = await home.held(1)
      if (view !== undefined) await home.decide(view, { kind: 'approve' })
      const answer = await peer.until((message) => message.id === 'f3')
      expect(answer['result']).toMatchObject({ resultType: 'input_required' })
      expect(ran()).toHaveLength(before)
    })
  })

  it('shows that a call is a task, and sends that task', async () => {
    const params = { name: 'note', arguments: { text: 'a task' }, task: { ttl: 61_234 } }
    peer.send({ id: 'task', method: 'tools/call', params })
    const [view] = await home.held(1)
    expect(JSON.stringify(view)).toContain('61234')
    if (view !== undefined) await home.decide(view, { kind: 'approve' })
    await peer.until((message) => message.id === 'task')
    expect(JSON.parse(server.lines().findLast((line) => line.includes('a task')) ?? '{}')).toMatchObject({ params })
  })
})
