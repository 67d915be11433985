import { statSync } from 'node:fs'
import { BUILTIN_CHECKS, type LoadedPolicy, loadPolicy, namesDefined, riskRank, safeText } from '@countersign/core'
import {
  controlService,
  type Home,
  loadApprover,
  openApprovers,
  openCrypto,
  openPolicyFiles,
  type ServiceStatus,
} from '@countersign/node'
import { INSIDE } from '../inside.ts'
import type { Io } from '../io.ts'
import type { Check, Diagnosis } from './check.ts'
import { systemChecks } from './system-checks.ts'

/** What the owner of a home can find out: T1 at most, since whatever runs as the owner can use the owner's keys. */
export async function diagnoseAsOwner(home: Home, io: Io): Promise<Diagnosis> {
  const inside = io.env[INSIDE] !== undefined && io.env[INSIDE] !== ''
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  const status = answer !== undefined && 'status' in answer ? answer.status : undefined
  const passkey = await passkeyCheck(home)
  const checks = [
    { name: 'home', holds: true, words: `${safeText(home.dir)} belongs to this user alone` },
    keyCheck(home),
    serviceCheck(status),
    {
      name: 'apart',
      holds: !inside,
      words: inside ? 'this runs inside a gated call: asking and deciding are one here' : 'this is no gated call',
    },
    passkey,
    ...systemChecks(io),
  ]
  return { tier: inside ? 'T0' : 'T1', as: 'owner', checks, missing: missingFor(status, passkey) }
}

function missingFor(status: ServiceStatus | undefined, passkey: Check): readonly string[] {
  const reachable = status !== undefined && isForGroup(status.socket)
  const forT2 = reachable
    ? `T2: run \`countersign doctor --socket ${safeText(status.socket)}\` as the asker; only trying as that user proves it`
    : 'T2: give the gate a user of its own, and askers only its socket: `countersign serve --socket <path> --group <group>`'
  return passkey.holds === true ? [forT2] : [forT2, `T3: ${passkey.words}`]
}

function isForGroup(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats !== undefined && (stats.mode & 0o060) === 0o060
}

function keyCheck(home: Home): Check {
  const name = 'key'
  try {
    const local = loadApprover(home)
    if (local === undefined)
      return { name, holds: undefined, words: 'no local approver key yet; the first decision makes it' }
    return {
      name,
      holds: false,
      words: 'the local approver key is sealed by no passphrase: whatever runs as you can sign',
    }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    const isSealed = words.includes('passphrase')
    return { name, holds: isSealed, words: isSealed ? 'the local approver key opens only with its passphrase' : words }
  }
}

function serviceCheck(status: ServiceStatus | undefined): Check {
  const name = 'service'
  if (status === undefined)
    return { name, holds: undefined, words: 'no service runs; each process opens the gate itself' }
  return { name, holds: true, words: `a service answers at ${status.url}, process ${status.pid}` }
}

/** T3 needs both: a policy that demands a passkey from high on, and somebody who has one. */
async function passkeyCheck(home: Home): Promise<Check> {
  const name = 'passkey'
  const crypto = openCrypto(home)
  const files = await openPolicyFiles({ home, workspace: home.dir }).read()
  const loaded: LoadedPolicy = loadPolicy(files, { checkers: [...BUILTIN_CHECKS, ...namesDefined(files)], crypto })
  if (loaded.kind === 'refused')
    return { name, holds: false, words: 'the policy is refused; run `countersign policy lint`' }
  const from = loaded.policy.passkeyFrom
  if (from === undefined || riskRank(from) > riskRank('high'))
    return { name, holds: false, words: 'no policy demands a passkey: write `defaults: { passkey: high }`' }
  const approvers = await openApprovers(home).list()
  if (approvers.some(({ kind }) => kind === 'passkey'))
    return { name, holds: true, words: `from risk ${from} on only a passkey approves, and one is enrolled` }
  return { name, holds: false, words: 'policy demands a passkey and none is enrolled: run `countersign approvers add`' }
}
