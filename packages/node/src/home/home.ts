import { realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { CountersignError } from '@countersign/core'
import { openOwnFolder } from '../files/private-file.ts'
import { accountHome } from '../system/os-account.ts'

/** The folder of policy, store and keys, checked to be this account's alone. Made only by `openHome`. */
export interface Home {
  /** Its real path. */
  readonly dir: string
  /** `given` when a person chose another folder than the account's default; the journal records it. */
  readonly chosen: 'account' | 'given'
  readonly store: string
  /** Where the store is, if it is not that file. */
  readonly storeSetting: string
  readonly keys: string
  readonly approvers: string
  /** The list of gates of a shared store, as this home last saw it. */
  readonly gates: string
  readonly trust: string
  readonly heads: string
  readonly policy: string
  readonly policyFolder: string
  readonly archive: string
  readonly backups: string
  readonly lock: string
  /** Sockets and lock of a running service, and files being edited. */
  readonly run: string
  /** The last port of the service. */
  readonly service: string
  /** The hash of the current enrolment code. */
  readonly enrolment: string
  /** The hashes of the recovery codes. */
  readonly recovery: string
  /** Where people are notified of held calls. */
  readonly notify: string
  /** Browsers that get Web Push. */
  readonly subscriptions: string
  /** Notifications that are being sent. */
  readonly outbox: string
}

/** Opens the home, and makes it on first use: `~/.countersign` of the account, or a chosen folder. */
export function openHome(dir?: string): Home {
  const path = dir === undefined ? accountFolder() : resolve(dir)
  openOwnFolder(path, 'CS_HOME')
  const real = realpathSync(path)
  refuseOpenParents(real)
  return Object.freeze({
    dir: real,
    chosen: dir === undefined ? 'account' : 'given',
    store: join(real, 'store.db'),
    storeSetting: join(real, 'store.json'),
    keys: join(real, 'keys'),
    approvers: join(real, 'approvers.json'),
    gates: join(real, 'gates.json'),
    trust: join(real, 'trust.json'),
    heads: join(real, 'heads'),
    policy: join(real, 'policy.yaml'),
    policyFolder: join(real, 'policy.d'),
    archive: join(real, 'archive'),
    backups: join(real, 'backups'),
    lock: join(real, 'lock.db'),
    run: join(real, 'run'),
    service: join(real, 'service.json'),
    enrolment: join(real, 'enrolment.json'),
    recovery: join(real, 'recovery.json'),
    notify: join(real, 'notify.yaml'),
    subscriptions: join(real, 'subscriptions.json'),
    outbox: join(real, 'run', 'outbox.db'),
  })
}

function accountFolder(): string {
  const home = accountHome()
  if (home === undefined)
    throw new CountersignError('CS_HOME', 'this account has no home folder; name one with `--home <dir>`')
  return join(home, '.countersign')
}

/** SECURITY: A3 a user who can rename a parent folder could replace the home. */
function refuseOpenParents(real: string): void {
  for (let path = dirname(real); ; path = dirname(path)) {
    const { mode } = statSync(path)
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
      throw new CountersignError(
        'CS_HOME',
        `anyone may replace \`${real}\`; run \`chmod o-w ${path}\` or use another folder`,
      )
    if (path === dirname(path)) return
  }
}
