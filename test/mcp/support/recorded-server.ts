import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from './line-peer.ts'
import { RECORDING_SERVER, type RelayHome } from './relay-home.ts'

/** A recording server behind a proxy, and what reached it. */
export interface RecordedServer {
  readonly command: Command
  /** Every line it got. */
  lines(): readonly string[]
  /** Every call it ran, with its arguments. */
  effects(): readonly { readonly name: string; readonly args: unknown; readonly requestState?: string }[]
  /** Its process; undefined before it started. */
  pid(): number | undefined
}

/** The command of a proxy in front of a recording server. */
export function recordedServer(
  home: RelayHome,
  label: string,
  mode: readonly string[] = [],
  options: readonly string[] = [],
): RecordedServer {
  const file = (name: string) => join(home.root, `${label}-${name}`)
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '')
  const lines = (name: string) => read(name).split('\n').filter(Boolean)
  return {
    command: home.relay(label, [...RECORDING_SERVER, ...mode], options, {
      RECORD: file('record'),
      EFFECTS: file('effects'),
      PID: file('pid'),
    }),
    lines: () => lines('record'),
    effects: () => lines('effects').map((line) => JSON.parse(line)),
    pid: () => (read('pid') === '' ? undefined : Number(read('pid'))),
  }
}
