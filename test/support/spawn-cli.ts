import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ENTRY = fileURLToPath(new URL('../../packages/cli/src/entry.ts', import.meta.url))
const FLAGS = ['--conditions=countersign-source', '--no-warnings', ENTRY]
/** Sources are compiled once, not by every process. */
export const SOURCE_ENV = {
  ...process.env,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/countersign-cli', import.meta.url)),
}

/** In a session of its own: else a test run on a person's terminal would be asked there. */
const ALONE: SpawnOptions = { detached: true, stdio: ['ignore', 'pipe', 'pipe'] }

/** What a real process of the command left behind. */
export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** Starts the command in a process of its own, from its sources, without a terminal. */
export function startCli(argv: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [...FLAGS, ...argv], { cwd, env: SOURCE_ENV, ...ALONE })
}

/** Runs the command in a process of its own. */
export function spawnCli(argv: readonly string[], cwd: string): Promise<Ended> {
  return endOf(startCli(argv, cwd))
}

/** Runs a line of bash in which `countersign` is the command. */
export function spawnBash(line: string, cwd: string, folder: string): Promise<Ended> {
  const program = join(folder, 'countersign')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' ${FLAGS.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(program, 0o755)
  const env = { ...SOURCE_ENV, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
  return endOf(spawn('bash', ['--norc', '-c', line], { cwd, env, ...ALONE }))
}

/** Collects what a started command says, until it ends. */
export function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ stdout, stderr, code }))
  })
}
