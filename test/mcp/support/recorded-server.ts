import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startHttp } from './http-peers.ts'
import type { Command } from './line-peer.ts'
import { RECORDING_HTTP_SERVER, RECORDING_SERVER, type RelayHome } from './relay-home.ts'

/** A recording server behind a proxy, and what reached it. */
export interface RecordedServer {
  /** The proxy in front of it, for a client on a pipe. */
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
  const { files, ...record } = recordOf(home, label)
  return { ...record, command: home.relay(label, [...RECORDING_SERVER, ...mode], options, files) }
}

/** The same over HTTP: it runs already, until the test is over, and the proxy finds it at its address. */
export async function recordedHttpServer(
  home: RelayHome,
  label: string,
  mode: readonly string[] = [],
): Promise<RecordedServer & { readonly url: string }> {
  const { files, ...record } = recordOf(home, label)
  const peer = await startHttp({ argv: [...RECORDING_HTTP_SERVER, ...mode], env: { ...process.env, ...files } })
  onTestFinished(() => peer.end())
  return { ...record, url: peer.url, command: home.command(['--name', label, '--url', peer.url]) }
}

/** The files that a recording server writes, and what is in them. */
function recordOf(home: RelayHome, label: string) {
  const file = (name: string) => join(home.root, `${label}-${name}`)
  const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '')
  const lines = (name: string) => read(name).split('\n').filter(Boolean)
  return {
    files: { RECORD: file('record'), EFFECTS: file('effects'), PID: file('pid') },
    lines: () => lines('record'),
    effects: () => lines('effects').map((line) => JSON.parse(line)),
    pid: () => (read('pid') === '' ? undefined : Number(read('pid'))),
  }
}
