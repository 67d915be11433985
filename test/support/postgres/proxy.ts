import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, connect as dial, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What happens to a piece of a conversation: it passes, is lost, ends the connection, or waits for `release`. */
export type Fate = 'pass' | 'drop' | 'cut' | 'hold'

/** A network between a gate and its PostgreSQL server, which a test can break. */
export interface PostgresProxy {
  /** The same store through the proxy. */
  through(address: string): string
  /** Decides on each message of the server, by its type and content. */
  onAnswer(fate: (type: string, content: string) => Fate): void
  /** Decides on what the gate sends. */
  onSent(fate: (content: string) => Fate): void
  /** Lets held pieces pass, and everything from now on. */
  release(): void
}

const SOCKET = '.s.PGSQL.5432'

/** Opens a proxy to the server whose socket is in a folder; closed when the test ends. */
export async function openProxy(folder: string): Promise<PostgresProxy> {
  const own = realpathSync(mkdtempSync(join(tmpdir(), 'cs-proxy-')))
  const sockets = new Set<Socket>()
  const held: (() => void)[] = []
  let onAnswer: (type: string, content: string) => Fate = () => 'pass'
  let onSent: (content: string) => Fate = () => 'pass'

  const server = createServer((near) => {
    const far = dial(join(folder, SOCKET))
    const cut = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', cut)
    }
    const sent = lane(far, cut, held)
    const answered = lane(near, cut, held)
    near.on('data', (bytes: Buffer) => sent(bytes, onSent(bytes.toString('latin1'))))
    let rest = Buffer.alloc(0)
    far.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const length = 1 + rest.readUInt32BE(1)
        const message = rest.subarray(0, length)
        rest = rest.subarray(length)
        answered(message, onAnswer(String.fromCharCode(message[0] ?? 0), message.toString('latin1', 5)))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(join(own, SOCKET), resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
    rmSync(own, { recursive: true, force: true })
  })
  return {
    through: (address) => address.replace(encodeURIComponent(folder), encodeURIComponent(own)),
    onAnswer(fate) {
      onAnswer = fate
    },
    onSent(fate) {
      onSent = fate
    },
    release() {
      onAnswer = () => 'pass'
      onSent = () => 'pass'
      for (const pass of held.splice(0)) pass()
    },
  }
}

/** Passes pieces on in their order: what comes after a held one waits too. */
function lane(to: Socket, cut: () => void, held: (() => void)[]): (bytes: Buffer, fate: Fate) => void {
  const waiting: Buffer[] = []
  return (bytes, fate) => {
    if (fate === 'cut') cut()
    else if (fate === 'hold' || waiting.length > 0) {
      if (waiting.length === 0)
        held.push(() => {
          for (const one of waiting.splice(0)) to.write(one)
        })
      waiting.push(bytes)
    } else if (fate === 'pass') to.write(bytes)
  }
}
