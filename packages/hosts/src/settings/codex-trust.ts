import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isJsonObject, type Json, type JsonObject } from '@countersign/core'
import type { Machine } from './detect-agents.ts'
import { readHookLine } from './hosts/hook-line.ts'

/** A hook of ours that Codex does not run yet, because no person has trusted it. */
export interface UntrustedHook {
  /** Codex's own name of it. */
  readonly key: string
  /** Of its definition as Codex reads it now. */
  readonly hash: string
}

const PATIENCE_MS = 10_000
const MOST_BYTES = 1_048_576
const LIST_ID = 2

/**
 * Our hooks that Codex would skip, as `codex app-server` lists them for a folder. Null if Codex does not
 * report it.
 */
export function untrustedCodexHooks(
  program: string,
  { accountHome, project, env }: Machine,
): Promise<readonly UntrustedHook[] | null> {
  return new Promise((resolve) => {
    const child = spawn(program, ['app-server'], {
      cwd: project,
      env: { ...env, HOME: accountHome },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    const finish = (hooks: readonly UntrustedHook[] | null): void => {
      child.kill('SIGKILL')
      resolve(hooks)
    }
    let read = 0
    child.stdout.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read > MOST_BYTES) finish(null)
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = parsed(line)
      if (!isJsonObject(message) || message['id'] !== LIST_ID) return
      finish(message['result'] === undefined ? null : untrusted(message['result']))
    })
    child.on('error', () => resolve(null))
    child.on('exit', () => resolve(null))
    child.stdin.on('error', () => finish(null))
    const clientInfo = { name: 'countersign', title: 'Countersign', version: '0.1.0' }
    const messages = [
      { id: 1, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: LIST_ID, method: 'hooks/list', params: { cwds: [project] } },
    ]
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  })
}

/** Null if our hooks are not in the list at all. */
function untrusted(result: Json): readonly UntrustedHook[] | null {
  const ours = objectsIn(result).filter(
    (hook) =>
      typeof hook['trustStatus'] === 'string' &&
      Object.values(hook).some((value) => typeof value === 'string' && readHookLine(value)?.host === 'codex'),
  )
  if (ours.length === 0) return null
  return ours.flatMap(({ key, currentHash, trustStatus }) =>
    typeof key === 'string' && typeof currentHash === 'string' && !isTrusted(trustStatus)
      ? [{ key, hash: currentHash }]
      : [],
  )
}

function isTrusted(status: Json | undefined): boolean {
  return typeof status === 'string' && ['trusted', 'managed'].includes(status.toLowerCase())
}

function objectsIn(value: Json): readonly JsonObject[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(objectsIn)
  if (!isJsonObject(value)) return []
  return [value, ...Object.values(value).flatMap(objectsIn)]
}

function parsed(line: string): Json {
  try {
    return JSON.parse(line) as Json
  } catch {
    return null
  }
}
