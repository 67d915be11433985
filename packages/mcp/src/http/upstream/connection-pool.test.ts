import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../relay/relay-world.fixture.ts'
import { readBody } from '../messages/read-body.ts'
import { openUpstream } from './upstream.ts'

/** A minimal server: it answers each request with the test's bytes. */
async function startBare(more = '') {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\n${more}content-length: 2\r\n\r\n{}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const upstream = openUpstream(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, {})
  onTestFinished(() => {
    upstream.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const ask = async (): Promise<string> => {
    const body = await readBody(await upstream.open('POST', [], Buffer.from('{}')), 100)
    await new Promise((resolve) => setImmediate(resolve)) // the connection becomes free
    return String(body)
  }
  return { upstream, sockets, ask }
}

describe('a connection to a server', () => {
  it('is reused for consecutive requests', async () => {
    const { ask, sockets } = await startBare()
    for (let count = 0; count < 5; count += 1) expect(await ask()).toBe('{}')
    expect(sockets).toHaveLength(1)
  })

  it('is not shared by parallel requests, and no more are kept than were needed', async () => {
    const { ask, sockets } = await startBare()
    expect(await Promise.all([ask(), ask(), ask()])).toEqual(['{}', '{}', '{}'])
    await Promise.all([ask(), ask(), ask()])
    expect(sockets).toHaveLength(3)
  })

  it('is closed if its server sends unprompted bytes: they do not answer the next request', async () => {
    const { ask, sockets } = await startBare()
    await ask()
    sockets[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged')
    await until('the end of the connection', () => (sockets[0]?.destroyed === true ? true : undefined))
    expect(await ask()).toBe('{}')
    expect(sockets).toHaveLength(2)
  })

  it('is replaced after its server closed it', async () => {
    const { ask, sockets } = await startBare()
    await ask()
    sockets[0]?.end()
    await until('the end of the connection', () => (sockets[0]?.destroyed === true ? true : undefined))
    expect(await ask()).toBe('{}')
  })

  it('is not reused if its server announces that it will close it', async () => {
    const { ask, sockets } = await startBare('keep-alive: timeout=1\r\n')
    await ask()
    await ask()
    expect(sockets).toHaveLength(2)
  })

  it('is reused within its server’s keep-alive time', async () => {
    const { ask, sockets } = await startBare('keep-alive: timeout=60, max=100\r\n')
    await ask()
    await ask()
    expect(sockets).toHaveLength(1)
  })

  it('closes with the link to its server', async () => {
    const { ask, upstream, sockets } = await startBare()
    await Promise.all([ask(), ask()])
    upstream.close()
    await until('the end of all', () => (sockets.every(({ destroyed }) => destroyed) ? true : undefined))
  })

  it('is dropped if the client leaves before the answer, and the next request gets another', async () => {
    const { upstream, ask } = await startBare()
    const waiting = { leave() {} }
    const asked = upstream.open('POST', [], Buffer.from('{}'), waiting)
    waiting.leave()
    await expect(asked).rejects.toThrow()
    expect(await ask()).toBe('{}')
  })
})
