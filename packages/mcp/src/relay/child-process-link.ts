import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { endGroup } from '@countersign/node'
import { createLines } from '../wire/line-splitter.ts'
import { writeLines } from '../wire/write-buffer.ts'
import type { LinkEnd, LinkListener, ServerLink } from './server-link.ts'

/** A server that is a process: what to run, and where. */
export interface ChildServer {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The longest line it may send. */
  readonly mostLineBytes: number
  /** Where what it says on stderr goes; without it, to our own. */
  readonly words?: Writable
}

/** A client that ends us insists two seconds after it asked: by then the server must be gone. */
const GRACE_MS = 1_000
/** A server that closed its output can answer nothing; it may just be about to end. */
const MUTE_MS = 1_000
/** How long after its end what a server said may still be on the way. */
const DRAIN_MS = 500

/**
 * Starts a server as a process of ours, in a group of its own: whatever it starts ends with it. What it says on stderr
 * is the person's to read, as it always was.
 */
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
      // A server that reads no more can answer nothing that is sent from now on: that is its end.
      child.stdin.on('error', () => {
        if (!child.stdin.writableEnded) void stop()
        listener.drained()
      })
      attend(child, server, listener, stop, (end) => {
        if (ended !== undefined) return
        ended = end
        // Whatever the server left behind in its group has no reader any more, also what ignores being asked to end.
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

function attend(
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
  const lines = createLines(server.mostLineBytes, {
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
    // Something it left behind may keep the pipe open; what the server said itself is there by then.
    setTimeout(finish, DRAIN_MS).unref()
  })
  child.on('close', finish)
}
