import { isUtf8 } from 'node:buffer'
import { lstatSync, writeSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import type { HookRequest, Printed } from '@countersign/hosts'
import { readUpTo } from './read-available.ts'

/**
 * `countersign hook` in its fastest form, which runs at every tool call of a coding agent: it hands the event to the service and
 * prints the answer. Only built-in modules are loaded, unless there is no service or something fails.
 */

/** The command line of a hook. */
export interface HookLine {
  readonly host: string
  readonly event: string | undefined
  readonly token: string | undefined
  readonly home: string | undefined
}

/** INVARIANT: L10. */
const MAX_STDIN = 6 * 1024 * 1024
const MAX_ANSWER = 16 * 1024 * 1024
/** Agents are told to wait one day for the answer; the hook answers sooner. */
const DEADLINE_MS = (24 * 60 - 1) * 60_000
/** A service that lives takes an event at once, even if a person decides about it a day later. */
const TAKEN_MS = 15_000
/** INVARIANT: L10, services that die while they have the event. */
const MOST_AGAIN = 4
const ROOT = 0
/** The exit code that every agent takes as a refusal, if there is a line on stderr. */
const REFUSED = 2

/** Reads the words after `countersign hook`; undefined if they are not a hook's, such as `--help`. */
export function readHookLine(words: readonly string[]): HookLine | undefined {
  const named: string[] = []
  const flags: { token?: string; home?: string } = {}
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--token' || word === '--home') {
      const value = words[at + 1]
      if (value === undefined || value === '') return undefined
      flags[word === '--token' ? 'token' : 'home'] = value
      at += 1
    } else if (word.startsWith('-')) return undefined
    else named.push(word)
  }
  const [host, event] = named
  if (host === undefined || named.length > 2) return undefined
  return { host, event, token: flags.token, home: flags.home }
}

/** Answers one event. INVARIANT: L3, one object is printed, or nothing with exit code 2; never anything that allows by mistake. */
export async function answerHookLine(line: HookLine, prepare = (): void => {}): Promise<void> {
  process.once('uncaughtException', refuseAtOnce)
  let printed: Printed
  try {
    printed = await answerOf(line, prepare)
  } catch (error) {
    printed = await refusal(line, error)
  }
  put(2, printed.stderr)
  if (put(1, printed.stdout)) process.exit(printed.exitCode)
  // What the agent got is nothing, or half an object, which some of them take for leave.
  put(2, 'NOT EXECUTED: Countersign could not print its answer\n')
  process.exit(REFUSED)
}

async function answerOf(line: HookLine, prepare: () => void): Promise<Printed> {
  const traceparent = process.env['TRACEPARENT']
  const own = { hook: process.pid, parent: process.ppid, cwd: process.cwd(), launcher: launcherOf(), traceparent }
  const callId = `${process.pid}.${Date.now()}.${process.hrtime.bigint()}`
  const request = { ...line, ...own, callId, text: await stdinText() }
  const dir = line.home === undefined ? join(userInfo().homedir, '.countersign') : resolve(line.home)
  const gone = agentGone()
  const service = join(dir, 'run', 'hooks.sock')
  const end = Date.now() + DEADLINE_MS
  for (let asked = 0; ; asked += 1) {
    const again = asked > 0
    const socket = await dial(service)
    if (socket === undefined) {
      prepare()
      const { answerHere } = await import('./answer-here.ts')
      return answerHere({ ...request, again } as HookRequest, line.home, gone)
    }
    try {
      return await ask(socket, { ...request, again }, gone, end)
    } catch (error) {
      const isGone = (error as Partial<HookError>).code === 'CS_SERVICE_GONE'
      if (!isGone || gone.aborted || asked === MOST_AGAIN) throw error
      // It goes on at the restarted service, or here: the call is in the store.
    }
  }
}

const PARENT_MS = 500

/** Aborts when the agent, or the shell that runs its hooks, exits: nobody is waiting for the answer. */
function agentGone(): AbortSignal {
  const gone = new AbortController()
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) gone.abort()
  }, PARENT_MS).unref()
  return gone.signal
}

/** How this program was started, without the hook's own words. */
function launcherOf(): readonly string[] {
  const [node = '', script = ''] = process.argv
  return [node, ...process.execArgv, script]
}

async function stdinText(): Promise<string> {
  const bytes = await readUpTo(0, () => process.stdin, MAX_STDIN)
  if (bytes.length > MAX_STDIN)
    throw hookError('CS_CALL_TOO_LARGE', 'the event is larger than 6 MiB; write large data in parts')
  // SECURITY: A6 the agent may keep bytes that would be replaced here.
  if (!isUtf8(bytes))
    throw hookError('CS_HOST_EVENT', 'the event on stdin is not UTF-8; use text without such bytes in the call')
  return bytes.toString('utf8')
}

/** Connects to the service; undefined if none runs. */
function dial(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      const uid = lstatSync(path, { throwIfNoEntry: false })?.uid
      if (uid === process.getuid?.() || uid === ROOT) return resolve(socket)
      socket.destroy()
      // A service that stops at this moment has removed its socket.
      if (uid === undefined) resolve(undefined)
      else reject(hookError('CS_SERVICE', `\`${path}\` belongs to another user; remove it and restart the service`))
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined)
      else
        reject(
          hookError(
            'CS_SERVICE',
            `can't connect to the service (${error.code}); restart it with \`countersign serve\``,
          ),
        )
    })
  })
}

function ask(socket: Socket, request: unknown, gone: AbortSignal, end: number): Promise<Printed> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const fail = (code: string, message: string) => () => {
      socket.destroy()
      reject(hookError(code, message))
    }
    const late = setTimeout(fail('CS_EXPIRED', 'nobody decided within a day; ask again'), end - Date.now())
    const hung = setTimeout(
      fail('CS_SERVICE', 'the service does not answer; restart it with `countersign stop` and `countersign serve`'),
      TAKEN_MS,
    )
    gone.addEventListener('abort', () => socket.destroy())
    socket.on('error', () => {}) // its close follows
    socket.on('data', (chunk) => {
      clearTimeout(hung)
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_ANSWER) socket.destroy()
    })
    socket.once('close', () => {
      clearTimeout(late)
      clearTimeout(hung)
      try {
        resolve(readAnswer(Buffer.concat(chunks).toString('utf8')))
      } catch (error) {
        reject(error)
      }
    })
    socket.write(`${JSON.stringify(request)}\n`)
  })
}

/** INVARIANT: L3, only a complete answer counts. An empty line before it means that the service took the event. */
function readAnswer(text: string): Printed {
  if (!text.endsWith('\n') || text.trim() === '')
    throw hookError('CS_SERVICE_GONE', 'the service stopped while the call was waiting; ask again')
  const answer = JSON.parse(text) as Partial<Printed> & {
    readonly error?: { readonly code: string; readonly message: string }
  }
  if (answer.error !== undefined) throw hookError(answer.error.code, answer.error.message)
  const { stdout, stderr, exitCode } = answer
  if (typeof stdout === 'string' && typeof stderr === 'string' && typeof exitCode === 'number')
    return { stdout, stderr, exitCode }
  throw hookError('CS_SERVICE', 'the service sent an invalid answer; update both to the same version')
}

interface HookError extends Error {
  readonly code: string
}

function hookError(code: string, message: string): HookError {
  return Object.assign(new Error(message), { code })
}

/** INVARIANT: L3, agents run the tool if a hook ends with another code than this. */
function refuseAtOnce(): never {
  put(2, FAILED)
  process.exit(REFUSED)
}

const FAILED = 'NOT EXECUTED: Countersign failed; run `countersign doctor`\n'

/** In the agent's own format; if even that fails, exit code 2 with a line on stderr, which all of them take as a refusal. */
async function refusal(line: HookLine, error: unknown): Promise<Printed> {
  try {
    const { refuseHere } = await import('./answer-here.ts')
    return refuseHere(line, error)
  } catch {
    return { stdout: '', stderr: FAILED, exitCode: REFUSED }
  }
}

/** Writes all of a text; false if that failed. */
function put(file: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return false
      Atomics.wait(PAUSE, 0, 0, FULL_PIPE_MS)
    }
  }
  return true
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4))
const FULL_PIPE_MS = 2
