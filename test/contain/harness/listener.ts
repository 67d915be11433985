import { createServer, type Server, type Socket } from 'node:net'

/** A server on this machine that keeps everything it receives; to HTTP clients it is a proxy that answers `ok`. */
export interface Listener {
  readonly port: number
  readonly proxy: string
  received(): string
  clear(): void
  close(): Promise<void>
}

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n'

export async function openListener(): Promise<Listener> {
  let text = ''
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    text += '[connected]\n'
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (/^(CONNECT|[A-Z]+ ).*HTTP\/1/m.test(text)) socket.end(ANSWER)
    })
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    proxy: `http://127.0.0.1:${address.port}`,
    received: () => text,
    clear() {
      text = ''
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
