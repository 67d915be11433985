import { realpathSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { createLineReader, homeMark, PROTOCOL, type ServiceHello, tierOf } from '@countersign/node'
import type { Io } from '../terminal/io.ts'
import { type Check, type Diagnosis, failedChecks } from './check.ts'
import { attemptOf, RIGHT_HOME, replaceCheck, tryFiles } from './file-checks.ts'
import { programChecks } from './program-checks.ts'
import { systemChecks } from './system-checks.ts'

/** The gate under test. */
export interface Target {
  readonly home: string
  readonly socket: string
  readonly url?: string
  /** The workspace to name; the service may be limited to some. */
  readonly workspace?: string
}

const TIMEOUT_MS = 5_000
/** A workspace that exists for every user. */
const ANY_WORKSPACE = '/tmp'

/**
 * Tries, as this user, everything an agent must not be able to do. SECURITY: A2 A3 a tier is proven, not assumed: a check
 * that could not run counts as failed.
 */
export async function diagnoseAsAsker(target: Target, io: Io): Promise<Diagnosis> {
  const { home, socket, url } = target
  const tried = [
    ...(await askingChecks(target)),
    replaceCheck('socket', socket, 'the agents’ socket'),
    ...tryFiles(home),
    replaceCheck('home-place', home, 'the home'),
    await controlCheck(home),
    ...(url === undefined ? [] : [await deskCheck(url)]),
  ]
  const missing = failedChecks('T2', tried)
  const isApart = missing.length === 0
  return {
    tier: tierOf({ asker: isApart ? 'other user' : 'same user', passkey: false }),
    as: 'asker',
    checks: [...tried, ...systemChecks(io)],
    missing: isApart ? [FOR_T3] : missing,
  }
}

const FOR_T3 =
  'T3: require a passkey for high and critical risk; run this as root with `--as <this user>` to test both sides'
const OWN_USER = 'run the service as its own user, and agents as another'
const NAME_WORKSPACE = 'use `--workspace` to name a folder that `countersign serve --workspace` allows'
const SERVE = 'start it with `countersign serve --socket <path> --group <group>` and add that user to the group'

/**
 * Agents must be able to ask but not to decide, the answering gate must own the tested home, and they must not be able to
 * change its program.
 */
async function askingChecks({ socket, home, workspace = ANY_WORKSPACE }: Target): Promise<readonly Check[]> {
  const hello = { protocol: PROTOCOL, version: 'doctor', workspace: realOrSame(workspace), label: 'doctor' }
  const said = await talk(socket, [{ hello }, { id: 1, do: 'decide', held: 'x' }]).catch(() => undefined)
  if (said === undefined)
    return [{ name: 'asking', holds: false, words: `can’t reach the agents’ socket (${socket})`, fix: SERVE }]
  if (said.some((line) => line.includes('"CS_WORKSPACE"')))
    return [
      { name: 'asking', holds: undefined, words: `the service does not accept ${workspace}`, fix: NAME_WORKSPACE },
    ]
  const refused = said.some((line) => line.includes('"CS_ASKER"'))
  const words = refused
    ? 'agents can ask, and decisions over their socket are refused'
    : 'the socket does not answer agents'
  const hellos = said.flatMap((line) => helloIn(line) ?? [])
  const isIts = hellos.some((one) => one.home === homeMark(realOrSame(home)))
  return [
    { name: 'asking', holds: refused, words: `${words} (${socket})`, ...(refused ? {} : { fix: SERVE }) },
    isIts
      ? { name: 'home', holds: true, words: `${home} is the home of the gate that answered` }
      : {
          name: 'home',
          holds: undefined,
          words: `the gate that answered does not use the home ${home}`,
          fix: RIGHT_HOME,
        },
    ...programChecks(hellos[0]?.program),
  ]
}

/** The service's own words about itself. */
function helloIn(line: string): Partial<ServiceHello> | undefined {
  try {
    return (JSON.parse(line) as { readonly hello?: Partial<ServiceHello> }).hello
  } catch {
    return undefined
  }
}

/** The service is running, so its control socket exists: not finding it does not mean that access is denied. */
function controlCheck(home: string): Promise<Check> {
  const name = 'control'
  return talk(join(home, 'run', 'control.sock'), [{ do: 'status' }]).then(
    () => ({ name, holds: false, words: 'this user can stop the service and sign in to the inbox', fix: OWN_USER }),
    (error: unknown) => {
      const found = attemptOf(error)
      return found === 'refused'
        ? { name, holds: true, words: 'this user can’t reach the control socket of the service' }
        : {
            name,
            holds: undefined,
            words: `could not test the control socket of the service (${found})`,
            fix: RIGHT_HOME,
          }
    },
  )
}

const NAME_URL = 'pass the URL of this gate’s inbox with `--url`'

async function deskCheck(url: string): Promise<Check> {
  try {
    const { status } = await fetch(new URL('/api/v1/held', url), { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const holds = status === 401 || status === 403
    const words = `the inbox answers ${status} without a sign-in`
    return { name: 'deciding', holds, words, ...(holds ? {} : { fix: NAME_URL }) }
  } catch {
    return { name: 'deciding', holds: undefined, words: `can’t reach ${url}`, fix: NAME_URL }
  }
}

function talk(path: string, lines: readonly object[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    const read = createLineReader(65_536)
    const heard: string[] = []
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')))
    // A refused hello is followed by a reset.
    socket.on('error', (error) => (heard.length > 0 ? resolve(heard) : reject(error)))
    // One line at a time: a write after a refusal would fail before the refusal is read.
    const rest = [...lines]
    const next = (): void => {
      const line = rest.shift()
      if (line === undefined) socket.destroy()
      else socket.write(`${JSON.stringify(line)}\n`)
    }
    socket.on('data', (chunk) => {
      const found = read(chunk)
      heard.push(...found)
      for (const _ of found) next()
    })
    socket.on('close', () => resolve(heard))
    next()
  })
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // not accessible to this user: keep the path as written
  }
}
