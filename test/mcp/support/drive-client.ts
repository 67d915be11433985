import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SERVERS } from './conformance.ts'
import type { Command } from './line-peer.ts'

const run = promisify(execFile)
const CLIENT = join(import.meta.dirname, 'sdk-client-child.ts')
const INSPECTOR = join(SERVERS, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')
const MOST_BYTES = 64 * 1024 * 1024

/** The steps of a client. */
export interface ClientScript {
  readonly command: Command
  readonly calls: readonly { readonly name: string; readonly arguments: { readonly [name: string]: unknown } }[]
}

/** The results of a client. */
export interface Seen {
  readonly tools: readonly unknown[]
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results without a schema
  readonly results: readonly any[]
  readonly notices: readonly string[]
}

/** Drives a server with the SDK's client. */
export async function driveClient(script: ClientScript): Promise<Seen> {
  const { stdout } = await run(process.execPath, ['--no-warnings', CLIENT, JSON.stringify(script)], {
    maxBuffer: MOST_BYTES,
  })
  return JSON.parse(stdout) as Seen
}

/**
 * Sends one request with the Inspector's command line; returns its output. It passes on little of its environment, so
 * variables that a server needs are named.
 */
export async function inspect(
  { argv, cwd, env }: Command,
  method: readonly string[],
  needed: NodeJS.ProcessEnv = {},
): Promise<unknown> {
  const named = Object.entries(needed).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const words = [INSPECTOR, '--cli', ...named, '--method', ...method, '--', ...argv]
  const { stdout } = await run(process.execPath, words, {
    maxBuffer: MOST_BYTES,
    env: env ?? process.env,
    ...(cwd === undefined ? {} : { cwd }),
  })
  return JSON.parse(stdout.slice(stdout.indexOf('{')))
}
