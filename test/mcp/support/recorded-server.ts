import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startHttp } from './http-peers.ts'
import type { Command } from './line-peer.ts'
import { RECORDING_HTTP_SERVER, RECORDING_SERVER, type RelayHome } from './relay-home.ts'

/** A recording server behind a proxy, and its records. */
export interface RecordedServer {
  /** The command of the proxy in front of it, for a stdio client. */
  readonly command: Command
  /** Every line it received. */
  lines(): readonly string[]
  /** Every call it ran, with its arguments. */
  effects(): readonly { readonly name: string; readonly args: unknown; readonly requestState?: string }[]
  /** Its process id; undefined before it started. */
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

/** The same over HTTP: the server runs until the test ends, and the proxy gets its URL. */
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

/** The files of a recording server, and their contents. */
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
