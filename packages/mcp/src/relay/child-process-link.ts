import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { endGroup } from '@countersign/node'
import { splitLines, writeLines } from '../wire/lines.ts'
import type { LinkEnd, LinkListener, ServerLink } from './server-link.ts'

/** A server process to start. */
export interface ChildServer {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The longest line it may send. */
  readonly maxLineBytes: number
  /** Where its stderr goes; default: our own. */
  readonly words?: Writable
}

/** A client that stops us kills us after two seconds: the server must be gone by then. */
const GRACE_MS = 1_000
/** A server that closed its output may be about to exit. */
const MUTE_MS = 1_000
/** How long after its exit its output may still arrive. */
const DRAIN_MS = 500

/** Starts a server in its own process group, so that everything it starts ends with it. Its stderr goes to the person. */
export function openChildLink(server: ChildServer): ServerLink {
  const child = spawn(server.command, server.args, {
    cwd: server.cwd,
    env: server.env,
    stdio: ['pipe', 'pipe', server.words === undefined ? 'inherit' : 'pipe'],
    detached: true,
  }) as Child
  if (server.words !== undefined) child.stderr?.pipe(server.words, { end: false })
  let ended: LinkEnd | undefined
  let stopping: Promise<void> | undefined

  function stop(): Promise<void> {
    child.stdin.destroy()
    if (child.pid === undefined) return Promise.resolve()
    stopping ??= endGroup(child.pid, GRACE_MS)
    return stopping
  }

  return {
    start(listener) {
      // A server that no longer reads cannot answer: stop it.
      child.stdin.on('error', () => {
        if (!child.stdin.writableEnded) void stop()
        listener.drained()
      })
      listenTo(child, server, listener, stop, (end) => {
        if (ended !== undefined) return
        ended = end
        // Processes left in its group have no reader any more; they are ended too, even if they ignore SIGTERM.
        void stop()
        listener.ended(end)
      })
    },
    send: (messages) => writeLines(child.stdin, messages),
    end: () => void child.stdin.end(),
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
    stop,
  }
}

type Child = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess['stdin']>
  readonly stdout: NonNullable<ChildProcess['stdout']>
}

function listenTo(
  child: Child,
  server: ChildServer,
  listener: LinkListener,
  stop: () => Promise<void>,
  onEnd: (end: LinkEnd) => void,
): void {
  let batch: Buffer[] = []
  const flush = (): void => {
    const whole = batch
    batch = []
    if (whole.length > 0) listener.messages(whole)
  }
  const lines = splitLines(server.maxLineBytes, {
    line: (bytes) => void batch.push(bytes),
    tooLong: () => {
      flush()
      listener.tooLong()
    },
  })
  child.stdout.on('data', (chunk: Buffer) => {
    lines.push(chunk)
    flush()
  })
  child.stdout.on('end', () => {
    lines.end()
    flush()
  })
  child.stdin.on('drain', () => listener.drained())
  child.stdout.on('error', () => {})
  child.on('error', (error: NodeJS.ErrnoException) => {
    if (child.pid !== undefined) return
    const [exitCode, why] = error.code === 'ENOENT' ? [127, 'was not found'] : [126, `cannot be run (${error.code})`]
    onEnd({ exitCode, why: `\`${server.command}\` ${why}` })
  })
  let isMute = false
  child.stdout.on('close', () => {
    if (exit !== undefined) return
    const timer = setTimeout(() => {
      isMute = true
      void stop()
    }, MUTE_MS)
    child.on('exit', () => clearTimeout(timer))
  })
  let exit: { readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined
  const finish = (): void => {
    if (exit === undefined) return
    const { code, signal } = exit
    const exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
    const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`
    onEnd({ exitCode, why: `the server ${isMute ? 'closed its output' : how}` })
  }
  child.on('exit', (code, signal) => {
    exit = { code, signal }
    // A leftover process may keep the pipe open; the server’s own output has arrived by then.
    setTimeout(finish, DRAIN_MS).unref()
  })
  child.on('close', finish)
}
