import type { Readable, Writable } from 'node:stream'
import type { Terminal } from './controlling-terminal.ts'

/** The world of one run of the command: streams, environment and what they can show. Tests pass their own. */
export interface Io {
  /** Data goes here. */
  readonly stdout: Writable
  /** Words for people go here. */
  readonly stderr: Writable
  readonly stdin: Readable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Whether each stream is a terminal. */
  readonly isTty: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean }
  /** Columns of the terminal that people read, 80 when unknown. */
  readonly columns: number
  /** Colours may be used on stdout. `NO_COLOR`, `FORCE_COLOR`, `TERM=dumb` and `--no-color` are already weighed. */
  readonly color: boolean
  /** The same for stderr. */
  readonly errorColor: boolean
  /** `--json`: reads print JSON on stdout. True when the flag was given anywhere before `--`. */
  readonly json: boolean
  /** `--home <dir>`: the folder of policy, store and keys; undefined means the account's own. */
  readonly home: string | undefined
  /** Opens the terminal a person sits at, whatever the streams are joined to; null when there is none. */
  terminal(): Terminal | null
  /** Sets the exit code of the process; the last call wins. */
  exit(code: number): void
}

/** Writes one line of data on stdout. */
export function print(io: Io, line = ''): void {
  io.stdout.write(`${line}\n`)
}

/** Writes one line for people on stderr. */
export function say(io: Io, line = ''): void {
  io.stderr.write(`${line}\n`)
}

/** Writes one JSON document on one line of stdout. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value)}\n`)
}
