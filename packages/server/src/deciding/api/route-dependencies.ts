import type { Quarantine, SharedRows } from '@countersign/core'
import type { Home, OpenedGate } from '@countersign/node'
import type { RefusedAttempts } from '../../gates/refused-attempts.ts'
import type { Workspaces } from '../../gates/workspace-gates.ts'
import type { Monitoring } from '../../monitoring/monitoring.ts'
import type { SignIn } from '../auth/browser-sessions.ts'
import type { PasskeySite } from '../auth/passkey-registration.ts'
import type { Origins } from '../http/request-guards.ts'
import type { Feed } from '../stream/event-feed.ts'
import type { HeldBoard } from '../stream/held-calls.ts'

/** The dependencies of the deciding side's routes. */
export interface DecidingParts {
  readonly home: Home
  readonly version: string
  /** The deciding handle that belongs to no workspace, and its ports. */
  readonly main: Pick<OpenedGate, 'gate' | 'desk' | 'ports'>
  readonly board: HeldBoard
  readonly feed: Feed
  readonly signIn: SignIn
  readonly attempts: RefusedAttempts
  readonly workspaces: Workspaces
  readonly origins: Origins
  readonly publicUrl: URL | undefined
  /** Where passkeys may belong: this machine, and the address of `--public-url`. */
  readonly sites: readonly [PasskeySite, ...PasskeySite[]]
  readonly cookie: string
  readonly askingToken: (() => string) | undefined
  /** What is kept for a while: by all services on the store, or in memory. */
  readonly rows: SharedRows
  /** What waits of MCP servers, where anything can. */
  readonly quarantine: Quarantine | undefined
  readonly monitoring: Monitoring
  readonly now: () => number
}
