import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenHttp } from './listener.ts'

const MOST = 20

async function openListener() {
  const stream = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('on')) })
  const listener = await listenHttp(
    0,
    () => (request) => new Response(request.url.endsWith('/stream') ? stream : 'here'),
    MOST,
  )
  onTestFinished(() => listener.close())
  const open = async (): Promise<Socket> => {
    const socket = connect(listener.port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  return { ...listener, open }
}

describe('silent connections', () => {
  it('do not block other requests, however many there are (A31)', async () => {
    const { port, open } = await openListener()
    const gone: number[] = []
    for (let n = 0; n < 3 * MOST; n += 1) (await open()).once('close', () => gone.push(n))
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
    await expect.poll(() => gone.length).toBeGreaterThan(MOST)
    expect(gone[0]).toBe(0) // the oldest first
  })

  it('do not end a response in progress', async () => {
    const { port, open } = await openListener()
    const streaming = await open()
    let isClosed = false
    streaming.once('close', () => {
      isClosed = true
    })
    streaming.write(`GET /stream HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
    await once(streaming, 'data')
    for (let n = 0; n < 3 * MOST; n += 1) await open()
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
    expect(isClosed).toBe(false)
  })
})
