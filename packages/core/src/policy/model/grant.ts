import type { AroundCommand } from '../../call/call.ts'
import type { Json } from '../../call/json/json.ts'

/** What a grant covers. A shell is never granted by tool name. */
export type GrantScope =
  | { readonly kind: 'exact'; readonly grantKey: string }
  /**
   * Conditions in the policy language, matched by the same code. Always names tool or command; a shell is covered only
   * around the same: in the same folder, with the same other arguments.
   */
  | { readonly kind: 'pattern'; readonly when: Json; readonly around?: AroundCommand }
  | { readonly kind: 'tool'; readonly server: string | null; readonly tool: string; readonly definition: string }
  | { readonly kind: 'server'; readonly server: string }

/** How long a grant lives. */
export type GrantLifetime =
  | { readonly kind: 'uses'; readonly uses: number }
  | { readonly kind: 'until'; readonly at: number }
  | { readonly kind: 'session' }

/** A standing permission a person gave: turns confirm into automatic, touches neither manual nor deny. */
export interface Grant {
  readonly id: string
  readonly scope: GrantScope
  readonly lifetime: GrantLifetime
  readonly session: string | null
  /** Agent path it was given for: a sub-agent is not its parent. */
  readonly agent: readonly string[]
  readonly givenBy: string
  readonly givenAt: number
}

/** How long a grant may last, as offered and chosen: a time of day would be stale by the time it is signed. */
export type OfferedLifetime =
  | { readonly kind: 'uses'; readonly uses: number }
  | { readonly kind: 'minutes'; readonly minutes: number }
  | { readonly kind: 'session' }
