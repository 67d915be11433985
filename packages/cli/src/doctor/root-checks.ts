import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { CountersignError, safeText } from '@countersign/core'
import { controlService, type Home, keepApartProof, openHome, systemClock, tierOf } from '@countersign/node'
import type { Io } from '../terminal/io.ts'
import { diagnoseAsAsker, type Target } from './agent-checks.ts'
import { type Diagnosis, failedChecks } from './check.ts'
import { passkeyChecks } from './owner-checks.ts'

/**
 * Runs both sets of checks as root: as the agents' user, bypassing the gate, and as the gate's owner, deciding without a
 * passkey. Only this can prove T3. The result is stored for the service to report.
 */
export async function diagnoseAsBoth(user: string, target: Target, io: Io): Promise<Diagnosis> {
  if (process.geteuid?.() !== 0)
    throw new CountersignError(
      'CS_USAGE',
      'only root can test as another user; use `sudo`, or run as that user without `--as`',
    )
  const asker = accountOf(user)
  const owner = ownerOf(target.home)
  const passkey = await actingAs(owner, async () => passkeyChecks(openHome(target.home)))
  const workspace = target.workspace ?? (await actingAs(owner, () => listedWorkspace(openHome(target.home))))
  const whole = workspace === undefined ? target : { ...target, workspace }
  const tried = await actingAs(asker, () => diagnoseAsAsker(whole, io))
  const apart = tried.tier === 'T2' && asker.uid !== owner.uid && asker.uid !== 0
  if (apart)
    await actingAs(owner, async () =>
      keepApartProof(openHome(target.home), { socket: target.socket, asker: asker.uid, at: systemClock.now() }),
    )
  const holds = passkey.every((check) => check.holds === true)
  const mine = apart || tried.tier !== 'T2' ? [] : ['T2: that user owns the gate; run the gate as a separate user']
  return {
    tier: tierOf({ asker: apart ? 'other user' : 'same user', passkey: holds }),
    as: 'both',
    checks: [...tried.checks, ...passkey],
    missing: [...(tried.tier === 'T2' ? mine : tried.missing), ...failedChecks('T3', passkey)],
  }
}

/** The first folder that the service limits agents to. */
async function listedWorkspace(home: Home): Promise<string | undefined> {
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  return answer !== undefined && 'status' in answer ? answer.status.listed?.[0] : undefined
}

function ownerOf(home: string): Account {
  const stats = statSync(home, { throwIfNoEntry: false })
  if (stats?.isDirectory()) {
    const { uid, gid } = stats
    return { uid, gid, groups: [gid] } // its primary group is enough
  }
  throw new CountersignError('CS_HOME', `no folder \`${safeText(home)}\`; check \`--home\``)
}

/** A system user with its groups. */
interface Account {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

/** Looks up a user by name or number with `id`. */
function accountOf(user: string): Account {
  const ask = (flag: string): readonly number[] =>
    execFileSync('id', [flag, '--', user], { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .split(/\s+/)
      .map(Number)
  try {
    const [[uid], [gid], groups] = [ask('-u'), ask('-g'), ask('-G')]
    if (uid !== undefined && gid !== undefined && [uid, gid, ...groups].every(Number.isSafeInteger))
      return { uid, gid, groups }
  } catch {
    // reported below
  }
  throw new CountersignError('CS_USAGE', `no user \`${safeText(user)}\` on this machine; check the name`)
}

/** Runs `work` with the rights and groups of another user, then switches back to root. */
export async function actingAs<T>({ uid, gid, groups }: Account, work: () => Promise<T>): Promise<T> {
  const { getgroups, setgroups, setegid, seteuid } = process
  if (getgroups === undefined || setgroups === undefined || setegid === undefined || seteuid === undefined)
    throw new CountersignError('CS_USAGE', 'this system cannot switch users; run this on Linux or macOS')
  const own = getgroups()
  setgroups([...groups])
  setegid(gid)
  seteuid(uid)
  try {
    return await work()
  } finally {
    seteuid(0)
    setegid(0)
    setgroups(own)
  }
}
