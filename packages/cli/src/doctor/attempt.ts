import { closeSync, constants, lstatSync, openSync, type Stats, unlinkSync } from 'node:fs'
import { join } from 'node:path'

/** How an attempt ended: `done`, `refused` for want of rights, or the system's code for whatever else came between. */
export type Attempt = 'done' | 'refused' | (string & {})

/** Does something only to see whether this user may. */
export function attempt(work: () => void): Attempt {
  try {
    work()
    return 'done'
  } catch (error) {
    return attemptOf(error)
  }
}

/** What an error says of an attempt. Only a plain no is a no: what is not there was not tried. */
export function attemptOf(error: unknown): Attempt {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'refused' : code
}

/** Opens a file and lets go of it. */
export function tryToOpen(path: string, flags: number): Attempt {
  return attempt(() => closeSync(openSync(path, flags | constants.O_NONBLOCK)))
}

/** Makes a file in a folder and takes it away again. */
export function tryToMakeIn(folder: string): Attempt {
  const path = join(folder, `.countersign-doctor-${process.pid}`)
  return attempt(() => {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600))
    unlinkSync(path)
  })
}

/** What is at a path, a link itself; undefined when nothing is seen of it. */
export function seenAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
