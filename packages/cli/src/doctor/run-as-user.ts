import { execFileSync } from 'node:child_process'
import { CountersignError, safeText } from '@countersign/core'

/** A user of this machine, with the groups it is in. */
export interface Account {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

/** A user by name or number, as the system's own program knows it. */
export function accountOf(user: string): Account {
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
    // said below
  }
  throw new CountersignError('CS_USAGE', `there is no user \`${safeText(user)}\`; name one of this machine`)
}

/** Does something with the rights of another user, groups included, and is root again afterwards. Only root can. */
export async function actingAs<T>({ uid, gid, groups }: Account, work: () => Promise<T>): Promise<T> {
  const { getgroups, setgroups, setegid, seteuid } = process
  if (getgroups === undefined || setgroups === undefined || setegid === undefined || seteuid === undefined)
    throw new CountersignError('CS_USAGE', 'this system has no users to become; run this on Linux or macOS')
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
