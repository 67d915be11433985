import type { AroundCommand } from '../../call/call.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import type { Bounds, RuleBounds } from './containment.ts'

/** What a grant covers. A shell is never granted by tool name. */
export type GrantScope =
  | { readonly kind: 'exact'; readonly grantKey: string }
  /**
   * Conditions in the policy language, matched by the same code. Always names tool or command; a shell is covered only
   * around the same: in the same folder, with the same other arguments.
   */
  | { readonly kind: 'pattern'; readonly when: Json; readonly around?: AroundCommand; readonly shown?: ShownWords }
  /** One tool with the same arguments, except that the text of the `free` ones may differ. No other argument is allowed. */
  | {
      readonly kind: 'fields'
      readonly server: string | null
      readonly tool: string
      readonly definition: string
      readonly fixed: JsonObject
      readonly free: readonly string[]
    }
  /** One tool on one file, or on everything in one folder. Absolute real paths. */
  | {
      readonly kind: 'file' | 'folder'
      readonly server: string | null
      readonly tool: string
      readonly definition: string
      readonly path: string
    }
  | { readonly kind: 'tool'; readonly server: string | null; readonly tool: string; readonly definition: string }
  | { readonly kind: 'server'; readonly server: string }
  /** Names a host, so that contact with it needs no approval. It approves nothing else. Without a port: 80 and 443. */
  | { readonly kind: 'network'; readonly host: string; readonly port?: number }

/** The words of a command that a pattern binds: what changes where something goes or what runs. */
export interface ShownWords {
  /** The first operand, such as the remote of `git push`; null if there is none, or any will do. */
  readonly operand: string | null
  /** All options, with their values. */
  readonly options: readonly string[]
  /** URLs, hosts and folders among the operands. */
  readonly elsewhere: readonly string[]
  /** The operands that are left open, in words: `<packages of the registry>`. Absent: no kind is known. */
  readonly open?: string
}

/** How long a grant lives. */
export type GrantLifetime =
  | { readonly kind: 'uses'; readonly uses: number }
  | { readonly kind: 'until'; readonly at: number }
  | { readonly kind: 'session' }

/** A standing permission a person gave: turns confirm into automatic, touches neither manual nor deny. */
export interface Grant {
  readonly id: string
  readonly scope: GrantScope
  /** What it adds to the sandbox. A command that it covers runs in the sandbox; without bounds, exact arguments run outside. */
  readonly bounds?: RuleBounds
  /** The sandbox that its card showed; absent if the card showed none. A grant for exact arguments never leaves it. */
  readonly contain?: Bounds
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
