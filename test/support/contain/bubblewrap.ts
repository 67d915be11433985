import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/bwrap', '/usr/local/bin/bwrap']

/** Printed if there is no bubblewrap. */
export const NO_BUBBLEWRAP =
  'bubblewrap was not found, so the tests of the sandbox are skipped; install it (`apt-get install bubblewrap`)'

/** Whether the tests of the sandbox can run. */
export function hasBubblewrap(): boolean {
  return process.platform === 'linux' && PLACES.some((path) => existsSync(path))
}
