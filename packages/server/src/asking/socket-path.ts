import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CountersignError } from '@countersign/core'

const OTHERS_WRITE = 0o022
const STICKY = 0o1000
const ROOT = 0

/**
 * The real path of a socket that a person named. SECURITY: A3 whoever may put something else in its place could answer
 * the askers: its folder and all above it belong to root or to this user, and nobody else may rename in them.
 */
export function socketPlace(path: string): string {
  const folder = realFolder(path)
  for (let at = folder; ; at = dirname(at)) {
    const { mode, uid } = statSync(at)
    if (uid !== ROOT && uid !== process.geteuid?.())
      throw new CountersignError(
        'CS_USAGE',
        `\`${at}\` belongs to another user, who could replace the socket; name another folder with \`--socket\``,
      )
    if ((mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0)
      throw new CountersignError(
        'CS_USAGE',
        `others may replace the socket in \`${at}\`; run \`chmod go-w ${at}\` or name another folder with \`--socket\``,
      )
    if (at === dirname(at)) return join(folder, basename(path))
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync(dirname(path))
  } catch (cause) {
    throw new CountersignError('CS_USAGE', `there is no folder \`${dirname(path)}\`; make it first`, { cause })
  }
}
