import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { createLineReader, PROTOCOL } from '@countersign/node'
import type { Io } from '../io.ts'
import type { Check, Diagnosis } from './check.ts'
import { systemChecks } from './system-checks.ts'

/** Where the gate is that an asker tries to get around. */
export interface Target {
  readonly home: string
  readonly socket: string
  readonly url?: string
  readonly workspace: string
}

const SECRET = ['store.db', 'policy.yaml', 'approvers.json', 'keys/gate.key', 'keys/approver.key', 'keys/seal.key']
const PATIENCE_MS = 5_000

/** Tries, as this user, everything an asker must not be able to do. SECURITY: A2 A3, a tier is proven, not assumed. */
export async function diagnoseAsAsker(target: Target, io: Io): Promise<Diagnosis> {
  const checks = [
    await askingCheck(target),
    ...SECRET.map((name) => openCheck(join(target.home, name), 'read', constants.O_RDONLY)),
    ...['policy.yaml', 'approvers.json', 'store.db'].map((name) =>
      openCheck(join(target.home, name), 'write', constants.O_WRONLY | constants.O_APPEND),
    ),
    makeCheck(target.home),
    await controlCheck(target.home),
    ...(target.url === undefined ? [] : [await deskCheck(target.url)]),
    ...systemChecks(io),
  ]
  const gotThrough = checks.filter(({ name, holds }) => holds === false && !SYSTEM.has(name))
  return {
    tier: gotThrough.length === 0 ? 'T2' : 'T1',
    as: 'asker',
    checks,
    missing: gotThrough.length === 0 ? [FOR_T3] : gotThrough.map(({ words }) => `T2: ${words}`),
  }
}

const SYSTEM: ReadonlySet<string> = new Set(['memory', 'typing', 'terminal'])
const FOR_T3 =
  'T3: a passkey for high and critical; `countersign doctor` as the gate’s own user says whether one is demanded'

/** It must be able to ask, and get no further by the same way. */
function askingCheck({ socket, workspace }: Target): Promise<Check> {
  const hello = { protocol: PROTOCOL, version: 'doctor', workspace, label: 'doctor' }
  const lines = [{ hello }, { id: 1, do: 'decide', held: 'x' }]
  return talk(socket, lines).then(
    (said) => {
      const refused = said.includes('"CS_ASKER"')
      const words = refused ? 'askers can ask, and a decision over their socket is refused' : 'askers are not served'
      return { name: 'asking', holds: refused, words: `${words} (${socket})` }
    },
    () => ({ name: 'asking', holds: false, words: `the askers’ socket cannot be reached (${socket})` }),
  )
}

function openCheck(path: string, what: 'read' | 'write', flags: number): Check {
  try {
    closeSync(openSync(path, flags | constants.O_NONBLOCK))
    return { name: what, holds: false, words: `this user can ${what} ${path}` }
  } catch (error) {
    return { name: what, holds: true, words: `${path}: ${codeOf(error)}` }
  }
}

/** A file that is not there yet must not be made either. */
function makeCheck(home: string): Check {
  const path = join(home, `policy.d-doctor-${process.pid}`)
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600))
    unlinkSync(path)
    return { name: 'make', holds: false, words: `this user can make files in ${home}` }
  } catch (error) {
    return { name: 'make', holds: true, words: `${home}: ${codeOf(error)}` }
  }
}

function controlCheck(home: string): Promise<Check> {
  const path = join(home, 'run', 'control.sock')
  return talk(path, [{ do: 'status' }]).then(
    () => ({ name: 'control', holds: false, words: 'this user can stop the service and sign in' }),
    () => ({ name: 'control', holds: true, words: 'the service’s own socket cannot be reached' }),
  )
}

async function deskCheck(url: string): Promise<Check> {
  try {
    const { status } = await fetch(new URL('/api/v1/held', url), { signal: AbortSignal.timeout(PATIENCE_MS) })
    const holds = status === 401 || status === 403
    return { name: 'deciding', holds, words: `the deciding side answers ${status} without a sign-in` }
  } catch {
    return { name: 'deciding', holds: undefined, words: `${url} cannot be reached` }
  }
}

function talk(path: string, lines: readonly object[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    const read = createLineReader(65_536)
    const heard: string[] = []
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer')))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      heard.push(...read(chunk))
      if (heard.length >= lines.length) socket.destroy()
    })
    socket.on('close', () => resolve(heard.join('\n')))
    for (const line of lines) socket.write(`${JSON.stringify(line)}\n`)
  })
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EACCES' || code === 'EPERM' ? 'refused' : code === 'ENOENT' ? 'not there, or hidden' : String(code)
}
