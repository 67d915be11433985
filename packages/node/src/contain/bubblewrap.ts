import { statSync } from 'node:fs'
import { isExecutable } from '../files/file-identity.ts'

/** Where systems install it. SECURITY: never found by `PATH`, which an agent may have set. */
const PLACES = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/wrappers/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
]

/** The system's bubblewrap; undefined if it is not installed, or not root's own. */
export function findBubblewrap(places: readonly string[] = PLACES): string | undefined {
  return places.find((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats !== undefined && stats.uid === 0 && (stats.mode & 0o022) === 0 && isExecutable(path)
  })
}

/** How to get it, by distribution. */
export const INSTALL_BUBBLEWRAP =
  'install bubblewrap: `apt install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap`, `apk add bubblewrap` or `zypper install bubblewrap`'
