import { userInfo } from 'node:os'

/**
 * The home folder of the account this process runs as, by the system's own table.
 * SECURITY: never from HOME or XDG_*, which an agent can set for the processes it starts.
 */
export function accountHome(): string | undefined {
  try {
    const { homedir } = userInfo()
    return homedir === '' ? undefined : homedir
  } catch {
    return undefined
  }
}

/** The numeric user this process acts as; -1 where there is no such thing, which owns no file. */
export function accountId(): number {
  return process.geteuid?.() ?? -1
}
