import type { Readable, Writable } from 'node:stream'
import type { Terminal } from './controlling-terminal.ts'

/** Everything a command needs from its process: streams, environment, terminal. Tests pass their own. */
export interface Io {
  /** For data. */
  readonly stdout: Writable
  /** For messages. */
  readonly stderr: Writable
  readonly stdin: Readable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Whether each stream is a terminal. */
  readonly isTty: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** Width of the terminal; 80 if unknown. */
  readonly columns: number
  /** Whether to use color on stdout, after `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb` and `--no-color`. */
  readonly color: boolean
  /** Whether to use color on stderr. */
  readonly errorColor: boolean
  /** `--json`: print data as JSON. */
  readonly json: boolean
  /** `--home <dir>`; undefined for the default. */
  readonly home: string | undefined
  /** Opens the controlling terminal, even if the streams are redirected; null if there is none. */
  terminal(): Terminal | null
  /** Sets the exit code of the process; the last call wins. */
  exit(code: number): void
}

/** Writes a line of data to stdout. */
export function print(io: Io, line = ''): void {
  io.stdout.write(`${line}\n`)
}

/** Writes a message to stderr. */
export function say(io: Io, line = ''): void {
  io.stderr.write(`${line}\n`)
}

/** Writes JSON as one line to stdout. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value)}\n`)
}
