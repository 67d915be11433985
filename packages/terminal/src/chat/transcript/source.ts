import type { OpenedView, RiskLevel, SafeText } from '@countersign/core'
import type { CardWorld } from '../../review/approval-source.ts'

/** How far a tool call has come. The last ones are how it ended. */
export type ToolState =
  | 'requested'
  | 'held'
  | 'running'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'rejected'
  | 'expired'
  | 'withdrawn'
  | 'stale'
  | 'refused'
  | 'unknown'

/** What happens in a conversation. `agent` is the label of a sub-agent, null for the agent itself; `at` is wall-clock time. */
export type ChatEvent =
  | { readonly kind: 'said'; readonly text: string }
  /** The agent begins to work, or has stopped. */
  | { readonly kind: 'working'; readonly isWorking: boolean }
  | { readonly kind: 'text'; readonly agent: SafeText | null; readonly text: string }
  /** What the agent says is at an end for now. */
  | { readonly kind: 'text-end'; readonly agent: SafeText | null }
  | {
      readonly kind: 'requested'
      readonly agent: SafeText | null
      readonly callId: string
      readonly tool: SafeText
      readonly at: number
    }
  | { readonly kind: 'judged'; readonly callId: string; readonly risk: RiskLevel; readonly effect: SafeText | null }
  | { readonly kind: 'held'; readonly callId: string; readonly opened: OpenedView; readonly at: number }
  /** A person decided; `surface` where it was not here. */
  | {
      readonly kind: 'decided'
      readonly callId: string
      readonly decision: 'approve' | 'reject'
      readonly by: SafeText
      readonly surface: SafeText | null
      readonly isEdited: boolean
      readonly at: number
    }
  /** It runs, and nobody was asked. */
  | { readonly kind: 'notice'; readonly callId: string }
  | { readonly kind: 'started'; readonly callId: string; readonly at: number }
  | { readonly kind: 'output'; readonly callId: string; readonly text: string }
  | {
      readonly kind: 'over'
      readonly callId: string
      readonly state: ToolState
      /** Why it failed or did not run; null where it did, and where a person's decision says it all. */
      readonly why: SafeText | null
      /** The words of the person who rejected it. */
      readonly reason: SafeText | null
      /** What it changed can be put back. */
      readonly isUndoable: boolean
      readonly at: number
    }
  | { readonly kind: 'tokens'; readonly count: number }
  /** A few lines for the person; `warning` stands out. */
  | { readonly kind: 'note'; readonly lines: readonly SafeText[]; readonly tone: 'plain' | 'warning' }

/** A slash command that the source runs; what it gives is printed. */
export interface ChatCommand {
  readonly name: string
  /** What may follow the name. */
  readonly takes?: string
  readonly does: string
  run(rest: string): Promise<readonly SafeText[]>
}

/** A standing permission as the panel lists it. */
export interface GrantLine {
  readonly id: string
  readonly words: SafeText
}

/** What the status line says; each is short. */
export interface ChatStatus {
  readonly model: SafeText
  readonly preset: SafeText
  /** Nothing is held: said in every frame. */
  readonly isClassic: boolean
  readonly session: SafeText
}

/** A conversation with an agent and the deciding side of its gate, as the screen sees them. */
export interface ChatSource extends CardWorld {
  subscribe(listen: (event: ChatEvent) => void): () => void
  status(): ChatStatus
  readonly commands: readonly ChatCommand[]
  grants(): Promise<readonly GrantLine[]>
  revoke(id: string): Promise<void>
  /** Says one thing to the agent; false while it works, and then nothing is said. */
  say(text: string): boolean
  /** Withdraws what is held and ends what runs, with everything that it started. */
  abort(): void
}
