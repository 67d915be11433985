import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { COMMAND, COMMAND_ENV, COMMAND_LINE } from './command.ts'

/** A separate session, so that tests started from a terminal do not prompt there. */
const ALONE: SpawnOptions = { detached: true, stdio: ['ignore', 'pipe', 'pipe'] }

/** The result of a real process of the command. */
export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** Starts the command in its own process, without a terminal. */
export function startCli(argv: readonly string[], cwd: string): ChildProcess {
  return spawn(process.execPath, [...COMMAND, ...argv], { cwd, env: COMMAND_ENV, ...ALONE })
}

/** Runs the command in its own process. */
export function spawnCli(argv: readonly string[], cwd: string): Promise<Ended> {
  return endOf(startCli(argv, cwd))
}

/** Runs a bash line in which `countersign` is the command. */
export function spawnBash(line: string, cwd: string, folder: string): Promise<Ended> {
  return endOf(startBash(line, cwd, folder))
}

/** Starts a bash line in which `countersign` is the command. */
export function startBash(line: string, cwd: string, folder: string): ChildProcess {
  const program = join(folder, 'countersign')
  writeFileSync(program, `#!/bin/sh\nexec ${COMMAND_LINE} "$@"\n`)
  chmodSync(program, 0o755)
  const env = { ...COMMAND_ENV, PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` }
  return spawn('bash', ['--norc', '-c', line], { cwd, env, ...ALONE })
}

/** Collects the output of a started command until it exits. */
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
