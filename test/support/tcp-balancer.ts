import { createServer, connect as dial, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** One address on loopback that leads to one service after another, as a load balancer's does. */
export interface Balancer {
  readonly port: number
  /** From now on it leads to these ports: to the first that answers. What is connected is cut. */
  lead(...ports: readonly number[]): void
}

/** Opens a balancer that leads nowhere yet; closed when the test ends. */
export async function openBalancer(): Promise<Balancer> {
  let backends: readonly number[] = []
  const sockets = new Set<Socket>()

  function join(near: Socket, ports: readonly number[]): void {
    const [port, ...others] = ports
    if (port === undefined) return void near.destroy()
    const far = dial(port, '127.0.0.1')
    const next = () => join(near, others)
    far.once('error', next)
    far.once('connect', () => {
      far.off('error', next)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.on('error', () => one.destroy())
        one.once('close', () => {
          sockets.delete(one)
          other.destroy()
        })
        one.pipe(other)
      }
    })
  }

  const server = createServer((near) => {
    near.on('error', () => near.destroy())
    join(near, backends)
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    server.close()
    cut()
  })
  return {
    port,
    lead(...ports) {
      backends = ports
      cut()
    },
  }
}
