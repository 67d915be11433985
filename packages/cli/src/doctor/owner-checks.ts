import { existsSync, statSync } from 'node:fs'
import { createGate, formatProblem, safeText } from '@countersign/core'
import {
  approverKeyState,
  controlService,
  type Home,
  openPorts,
  placesOf,
  provePasskey,
  type ServiceStatus,
  tierOf,
} from '@countersign/node'
import { enclosingCall } from '../home/nested-call-guard.ts'
import type { Io } from '../terminal/io.ts'
import { type Check, type Diagnosis, failedChecks } from './check.ts'
import { sandboxChecks } from './sandbox-checks.ts'
import { serverChecks } from './server-checks.ts'
import { systemChecks } from './system-checks.ts'

/** Checks for the owner of a home. They prove T1 at most: any program of the owner can use the owner's keys. */
export async function diagnoseAsOwner(home: Home, io: Io): Promise<Diagnosis> {
  const inside = enclosingCall(io) !== null
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  const status = answer !== undefined && 'status' in answer ? answer.status : undefined
  const passkey = await passkeyChecks(home)
  const checks: readonly Check[] = [
    { name: 'home', holds: true, words: `${safeText(home.dir)} is accessible to this user only` },
    ...(await gateChecks(home)),
    ...(await serverChecks(home)),
    keyCheck(home),
    serviceCheck(status),
    inside
      ? {
          name: 'apart',
          holds: false,
          words: 'running inside a gated call: asking and deciding are not separate here',
          fix: 'run it in your own terminal',
        }
      : { name: 'apart', holds: true, words: 'not running inside a gated call' },
    ...passkey,
    ...(await sandboxChecks(home)),
    ...systemChecks(io),
  ]
  return {
    tier: tierOf({ asker: inside ? 'same process' : 'same user', passkey: false }),
    as: 'owner',
    checks,
    missing: [forT2(home, status), ...failedChecks('T3', passkey)],
  }
}

/** The hint for T2; its command names this home, so that the agent's user tests the right one. */
function forT2(home: Home, status: ServiceStatus | undefined): string {
  return status !== undefined && isForGroup(status.socket)
    ? `T2: must be tested as the agent’s user: run \`countersign doctor --home ${safeText(home.dir)} --socket ${safeText(status.socket)}${workspaceFlag(status)}\` as that user, or with \`--as <user>\` as root`
    : 'T2: run the gate as its own user and give agents only its socket: `countersign serve --socket <path> --group <group>`'
}

function workspaceFlag({ listed }: ServiceStatus): string {
  return listed?.[0] === undefined ? '' : ` --workspace ${safeText(listed[0])}`
}

function isForGroup(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & 0o060) === 0o060
}

function keyCheck(home: Home): Check {
  const name = 'key'
  try {
    switch (approverKeyState(home)) {
      case 'absent':
        return { name, holds: undefined, words: 'no local approver key yet; your first decision creates one' }
      case 'sealed':
        return { name, holds: true, words: 'the local approver key is protected by a passphrase' }
      case 'open':
        return {
          name,
          holds: false,
          words: 'the local approver key has no passphrase: any program running as you can sign',
          fix: 'run `countersign approvers seal`',
        }
    }
  } catch (error) {
    return { name, holds: false, words: safeText(error instanceof Error ? error.message : String(error)) }
  }
}

function serviceCheck(status: ServiceStatus | undefined): Check {
  const name = 'service'
  if (status === undefined)
    return { name, holds: undefined, words: 'the service is not running; each process opens the gate itself' }
  return { name, holds: true, words: `the service is running at ${status.url}, process ${status.pid}` }
}

/** Checks that the store opens and that the policy files are valid. */
async function gateChecks(home: Home): Promise<readonly Check[]> {
  try {
    const places = placesOf(home, home.dir)
    const { gate } = await createGate(await openPorts(home, places), { places, session: 'none', observer: true })
    const [problem] = await gate.policyProblems()
    await gate.close()
    const store: Check = { name: 'store', holds: true, words: 'the store opens' }
    if (problem === undefined)
      return [store, { name: 'policy', holds: true, words: 'the policy files are valid and active' }]
    return [
      store,
      {
        name: 'policy',
        holds: false,
        words: safeText(`the policy is invalid, every call is held: ${formatProblem(problem)}`),
        fix: 'fix it; `countersign policy lint` shows every problem',
      },
    ]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [
      {
        name: 'store',
        holds: false,
        words: safeText(`can’t open the store, no call can run: ${why}`),
        fix: existsSync(home.storeSetting)
          ? 'run `countersign store check`'
          : 'restore a backup of store.db, or move it away to start with an empty store',
      },
    ]
  }
}

/** T3 needs both: no high-risk decision counts without a passkey, and somebody has enrolled one. */
export async function passkeyChecks(home: Home): Promise<readonly Check[]> {
  try {
    const { demanded, enrolled } = await provePasskey(home)
    return [
      {
        name: 'passkey',
        holds: demanded.holds,
        words: safeText(demanded.words),
        ...(demanded.holds
          ? {}
          : {
              fix: 'set `defaults: { passkey: high }` in policy.yaml, and remove rules that let high-risk calls run without approval',
            }),
      },
      {
        name: 'passkey-enrolled',
        holds: enrolled.holds,
        words: enrolled.words,
        ...(enrolled.holds ? {} : { fix: 'run `countersign approvers add` and type the code in the inbox' }),
      },
    ]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ name: 'passkey', holds: false, words: safeText(`could not test whether a passkey is required: ${why}`) }]
  }
}
