import { PassThrough, Readable } from 'node:stream'
import { flagsOf, run } from '../../../packages/cli/src/main.ts'
import type { Io } from '../../../packages/cli/src/terminal/io.ts'

/** The result of one run of the command. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly code: number
  /** stdout parsed as JSON. */
  json(): unknown
}

export interface RunOptions {
  readonly cwd: string
  readonly home?: string
  /** None if absent. */
  readonly env?: Io['env']
  /** A terminal of this width instead of pipes. */
  readonly columns?: number
  /** The input that a person types. */
  readonly input?: string
  /** The terminal of a person; none if absent. */
  readonly terminal?: NonNullable<ReturnType<Io['terminal']>>
}

/** Runs the command in this process, with in-memory streams. */
export async function runInProcess(argv: readonly string[], options: RunOptions): Promise<Ran> {
  const parsed: Parameters<typeof run>[2] & object = {}
  const flags = () => (parsed.program === undefined ? {} : flagsOf(parsed.program))
  const out = collect()
  const err = collect()
  const isTerminal = options.columns !== undefined
  let code = 0
  const io: Io = {
    stdout: out.stream,
    stderr: err.stream,
    stdin: Readable.from([options.input ?? '']),
    env: options.env ?? {},
    cwd: options.cwd,
    isTty: { stdin: isTerminal, stdout: isTerminal, stderr: isTerminal },
    columns: options.columns ?? 80,
    color: false,
    errorColor: false,
    get json() {
      return flags().json === true
    },
    get home() {
      return flags().home ?? options.home
    },
    terminal: () => options.terminal ?? null,
    exit(given) {
      code = given
    },
  }
  await run(argv, io, parsed)
  const stdout = out.text()
  return { stdout, stderr: err.text(), code, json: () => JSON.parse(stdout) as unknown }
}

function collect(): { readonly stream: PassThrough; text(): string } {
  const stream = new PassThrough()
  const chunks: string[] = []
  stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
  return {
    stream,
    text() {
      for (let rest: unknown = stream.read(); rest !== null; rest = stream.read()) chunks.push(String(rest))
      return chunks.join('')
    },
  }
}
