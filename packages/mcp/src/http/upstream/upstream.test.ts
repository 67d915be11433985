import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startScripted } from '../scripted-server.fixture.ts'
import { openUpstream } from './upstream.ts'

describe('a redirect', () => {
  it('is followed on the same origin, for its own request only', async () => {
    const server = await startScripted(({ path, headers }, answer) => {
      const moves = path === '/mcp' && headers.authorization === 'Bearer admin'
      answer.writeHead(moves ? 307 : 200, moves ? { location: '/tenant/mcp?x=1' } : {}).end()
    })
    const upstream = openUpstream(server.url, {})
    for (const who of ['admin', 'guest', 'admin']) {
      const answer = await upstream.open('POST', ['authorization', `Bearer ${who}`], Buffer.from('{}'))
      answer.resume()
      expect(answer.statusCode).toBe(200)
    }
    upstream.close()
    const went = server.seen.map(({ path, headers }) => `${headers.authorization} ${path}`)
    const admin = ['Bearer admin /mcp', 'Bearer admin /tenant/mcp?x=1']
    expect(went).toEqual([...admin, 'Bearer guest /mcp', ...admin])
    expect(upstream.url.pathname).toBe('/mcp')
  })

  it.each(['http://127.0.0.1:1/mcp', 'https://evil.example/', '//evil.example/mcp', 'data:text/plain,{}'])(
    'is not followed to %s',
    async (location) => {
      const server = await startScripted((_, answer) => void answer.writeHead(307, { location }).end())
      const upstream = openUpstream(server.url, { authorization: 'Bearer ours' })
      const answer = await upstream.open('POST', [], null)
      answer.resume()
      upstream.close()
      expect([answer.statusCode, server.seen.length]).toEqual([307, 1])
    },
  )

  it('is followed even if its connection breaks afterwards: the running call is answered', async () => {
    let first: Socket | undefined
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (chunk) => {
        if (chunk.toString('latin1').startsWith('POST /mcp')) {
          first = socket
          socket.write('HTTP/1.1 307 Moved\r\nLocation: /two\r\nContent-Length: 10\r\n\r\nabc')
          return
        }
        first?.resetAndDestroy()
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), 50)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const upstream = openUpstream(`http://127.0.0.1:${port}/mcp`, {})
    const answer = await upstream.open('POST', [], Buffer.from('{}'))
    answer.resume()
    upstream.close()
    expect(answer.statusCode).toBe(200)
  })

  it('ends if it loops', async () => {
    const server = await startScripted((_, answer) => void answer.writeHead(308, { location: '/mcp' }).end())
    const upstream = openUpstream(server.url, {})
    const answer = await upstream.open('GET', [], null)
    answer.resume()
    upstream.close()
    expect([answer.statusCode, server.seen.length]).toEqual([308, 4])
  })
})

describe('a configured header', () => {
  it('replaces the client’s, and host and body headers come from neither', async () => {
    const server = await startScripted((_, answer) => void answer.writeHead(200).end())
    const upstream = openUpstream(server.url, { Authorization: 'Bearer ours', Host: 'evil.example' })
    const headers = ['x-twice', 'a', 'authorization', 'Bearer theirs', 'x-twice', 'b']
    const answer = await upstream.open('POST', headers, Buffer.from('{}'))
    answer.resume()
    upstream.close()
    const [seen] = server.seen
    expect(seen?.headers).toMatchObject({
      authorization: 'Bearer ours',
      host: upstream.url.host,
      'content-length': '2',
    })
    expect(seen?.headers['x-twice']).toBe('a, b')
  })
})
