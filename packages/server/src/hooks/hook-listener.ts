import type { Socket } from 'node:net'
import { STOPPING } from '@countersign/core'
import { answerHook, type HookWorld, type Printed, readHookRequest } from '@countersign/hosts'
import { createLineReader, type Home } from '@countersign/node'
import { wordsOf } from '../wire/public-error.ts'
import { type Listener, listenSocket } from '../wire/socket-listener.ts'

/** INVARIANT: L10. An event can hold a whole file, escaped twice. */
const MAX_LINE = 16 * 1024 * 1024
const PATIENCE_MS = 30_000
/** Tells the hook that the service lives and took its event; the answer may take a day. White space, so that JSON follows. */
const TAKEN = '\n'

/**
 * Serves the hooks of coding agents: one event per connection, one answer. Whoever can open the socket can start a hook as
 * well, so it adds no access. INVARIANT: L8, nothing here can decide.
 */
export async function listenHooks(path: string, home: Home, join: HookWorld['join']): Promise<Listener> {
  let isStopping = false
  const reason = () => (isStopping ? STOPPING : 'gone')
  const listener = await listenSocket(path, (socket) => serveHook(socket, { home, join }, reason))
  return {
    ...listener,
    close() {
      isStopping = true
      return listener.close()
    },
  }
}

/** A hook that goes away withdraws its call. When the service stops, the hook goes on elsewhere with it. */
async function serveHook(socket: Socket, world: HookWorld, reason: () => string): Promise<void> {
  const gone = new AbortController()
  socket.on('error', () => {})
  socket.once('close', () => gone.abort(reason()))
  const line = await readLine(socket)
  if (line === undefined) return
  socket.write(TAKEN)
  const answer = await answered(line, world, gone.signal)
  if (!socket.destroyed) await new Promise<void>((resolve) => socket.end(`${JSON.stringify(answer)}\n`, resolve))
  socket.destroy()
}

async function answered(
  line: string,
  world: HookWorld,
  signal: AbortSignal,
): Promise<Printed | { readonly error: ReturnType<typeof wordsOf> }> {
  try {
    return await answerHook(readHookRequest(line), world, signal)
  } catch (error) {
    return { error: wordsOf(error) }
  }
}

/** The first line; undefined if the other side leaves before it ends, sends too much or takes too long. */
function readLine(socket: Socket): Promise<string | undefined> {
  const read = createLineReader(MAX_LINE)
  return new Promise((resolve) => {
    const late = setTimeout(() => end(undefined), PATIENCE_MS)
    const end = (line: string | undefined): void => {
      clearTimeout(late)
      socket.off('data', take)
      if (line === undefined) socket.destroy()
      else socket.resume() // so that its end is noticed
      resolve(line)
    }
    const take = (chunk: Buffer): void => {
      try {
        const [line] = read(chunk)
        if (line !== undefined) end(line)
      } catch {
        end(undefined)
      }
    }
    socket.on('data', take)
    socket.once('end', () => end(undefined))
    socket.once('close', () => end(undefined))
  })
}
