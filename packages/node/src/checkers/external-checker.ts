import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type Programs } from '@countersign/core'
import { isExecutable } from '../files/file-identity.ts'
import { systemCode } from '../files/private-file.ts'
import { signalGroup } from '../process/group.ts'
import { accountHome } from '../system/os-account.ts'

const MOST_OUTPUT = 262_144
const PROBLEM_SHOWN = 200
/** How long output is still read after the program ended, when something it left behind keeps the pipe open. */
const DRAIN_MS = 250

/** Where bare names are found. Not PATH: an agent's process may have set that. */
const SEARCHED = ['/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin']
/** The little of the environment that programs need to speak and find their own. */
const PASSED = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'USER', 'LOGNAME']

/** Runs checkers that are programs: exact arguments, a minimal environment, `/` as working folder, a separate process group. */
export function openPrograms(): Programs {
  return Object.freeze({ answer })
}

async function answer(
  [program, ...words]: readonly [string, ...string[]],
  input: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const file = find(program)
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { cwd: '/', env: environment(), stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    const { pid } = child
    let output = Buffer.alloc(0)
    let problem = ''
    let done = false

    /** Whatever it left running is ended with it. */
    function finish(result: string | CountersignError): void {
      if (done) return
      done = true
      clearTimeout(late)
      signal.removeEventListener('abort', onAbort)
      if (pid !== undefined) signalGroup(pid, 'SIGKILL')
      child.stdout.destroy()
      child.stderr.destroy()
      if (typeof result === 'string') resolve(result)
      else reject(result)
    }
    const onAbort = (): void => finish(blocked('it was cancelled'))
    const late = setTimeout(() => finish(blocked(`it did not answer within ${timeoutMs} ms`)), timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })

    child.on('error', (error) => finish(blocked(`it cannot be run (${systemCode(error) ?? 'unknown'})`)))
    child.stdin.on('error', () => {}) // it need not read what it is given
    child.stdout.on('data', (chunk: Buffer) => {
      output = Buffer.concat([output, chunk])
      if (output.length > MOST_OUTPUT) finish(blocked(`it printed more than ${MOST_OUTPUT} bytes`))
    })
    child.stderr.on('data', (chunk: Buffer) => {
      if (problem.length < PROBLEM_SHOWN) problem += chunk.toString('utf8')
    })
    child.once('exit', (code, by) => {
      if (code !== 0) return finish(blocked(endWords(code, by, problem)))
      const drained = setTimeout(() => finish(decode(output)), DRAIN_MS)
      child.once('close', () => {
        clearTimeout(drained)
        finish(decode(output))
      })
    })
    child.stdin.end(input)
  })
}

function endWords(code: number | null, by: NodeJS.Signals | null, problem: string): string {
  const first = problem.split('\n', 1)[0]?.slice(0, PROBLEM_SHOWN).toWellFormed() ?? ''
  const end = code === null ? `was ended by ${by ?? 'a signal'}` : `ended with exit code ${code}`
  return `it ${end}${first === '' ? '' : `: ${first}`}`
}

function decode(output: Buffer): string | CountersignError {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(output)
  } catch {
    return blocked('its output is not UTF-8 text')
  }
}

function find(program: string): string {
  const home = accountHome() ?? '/nonexistent'
  const paths = program.startsWith('~/')
    ? [join(home, program.slice(2))]
    : program.startsWith('/')
      ? [program]
      : SEARCHED.map((folder) => join(folder, program))
  const found = paths.find(isExecutable)
  if (found === undefined) throw blocked(`\`${program}\` was not found; write its absolute path`)
  // SECURITY: A23 whoever may write the program decides what it answers.
  if ((statSync(found).mode & 0o002) !== 0) throw blocked(`anyone may write \`${found}\`; run \`chmod o-w ${found}\``)
  return found
}

function environment(): NodeJS.ProcessEnv {
  const home = accountHome()
  return {
    PATH: SEARCHED.join(':'),
    ...(home === undefined ? {} : { HOME: home }),
    ...Object.fromEntries(
      PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
  }
}

function blocked(why: string): CountersignError {
  return new CountersignError('CS_CHECK_BLOCKED', why)
}
