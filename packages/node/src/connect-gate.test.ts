import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { connectGate } from './connect-gate.ts'

const HELLO = '{"hello":{"protocol":1,"version":"0.1.0","session":"s"}}\n'

/** Something on a socket that answers each line with what the test says; undefined ends the connection. */
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
  return (timeoutMs = 1_000) => connectGate({ address: { socket: path }, workspace: '/', version: '0.1.0', timeoutMs })
}

describe('connecting to a service', () => {
  it('says so when nobody is there', async () => {
    const address = { socket: join(temporaryFolder(), 'none') }
    await expect(connectGate({ address, workspace: '/', version: '0.1.0' })).rejects.toMatchObject({
      code: 'CS_SERVICE',
      message: expect.stringContaining('countersign serve'),
    })
  })

  it.each<[string, string | undefined, string]>([
    ['hangs up', undefined, 'CS_SERVICE_GONE'],
    ['says nothing', '', 'CS_SERVICE'],
    ['is something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'CS_SERVICE'],
    ['speaks another version', '{"hello":{"protocol":2,"version":"9","session":"s"}}\n', 'CS_SERVICE'],
    ['refuses', '{"id":null,"error":{"code":"CS_WORKSPACE","message":"no"}}\n', 'CS_WORKSPACE'],
    ['refuses with a code of another version', '{"id":null,"error":{"code":"CS_NEW","message":"no"}}\n', 'CS_SERVICE'],
  ])('says so when it %s', async (_, said, code) => {
    const connect = await standIn(() => said)
    await expect(connect(200)).rejects.toMatchObject({ code })
  })
})

describe('a service that goes wrong while a call waits', () => {
  it.each<[string, string | undefined]>([
    ['goes away', undefined],
    ['says what is no line', 'nonsense\n'],
    ['ends the connection with an error', '{"id":null,"error":{"code":"CS_SERVICE_GONE","message":"stopping"}}\n'],
    ['answers something else than was asked', '{"id":1,"done":true}\n'],
    ['answers with an error', '{"id":1,"error":{"code":"CS_INTERNAL","message":"broken"}}\n'],
  ])('has allowed nothing when it %s (L3)', async (_, said) => {
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

  it('refuses a call that fits in no line, and goes on', async () => {
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
