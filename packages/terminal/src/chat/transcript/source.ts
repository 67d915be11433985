import type { OpenedView, RiskLevel, SafeText } from '@countersign/core'
import type { CardWorld } from '../../review/approval-source.ts'

/** The state of a tool call, including its outcome. */
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

/** An event of a conversation. `agent` is the label of a sub-agent, null for the main agent; `at` is wall-clock time. */
export type ChatEvent =
  | { readonly kind: 'said'; readonly text: string }
  /** The agent started or stopped working. */
  | { readonly kind: 'working'; readonly isWorking: boolean }
  | { readonly kind: 'text'; readonly agent: SafeText | null; readonly text: string }
  /** The agent's text ended. */
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
  /** A person decided; `surface` is null if it was here. */
  | {
      readonly kind: 'decided'
      readonly callId: string
      readonly decision: 'approve' | 'reject'
      readonly by: SafeText
      readonly surface: SafeText | null
      readonly isEdited: boolean
      readonly at: number
    }
  /** The call runs without approval. */
  | { readonly kind: 'notice'; readonly callId: string; readonly warnings: readonly SafeText[] }
  | { readonly kind: 'started'; readonly callId: string; readonly isContained: boolean; readonly at: number }
  | { readonly kind: 'output'; readonly callId: string; readonly text: string }
  | {
      readonly kind: 'over'
      readonly callId: string
      readonly state: ToolState
      /** Why it failed or did not run; null if it ran, or if the decision explains it. */
      readonly why: SafeText | null
      /** The reason of the person who rejected it. */
      readonly reason: SafeText | null
      /** Its changes can be undone. */
      readonly isUndoable: boolean
      readonly at: number
    }
  | { readonly kind: 'tokens'; readonly count: number }
  /** A note; `warning` is highlighted. */
  | { readonly kind: 'note'; readonly lines: readonly SafeText[]; readonly tone: 'plain' | 'warning' }

/** A slash command of the source; its result is printed. */
export interface ChatCommand {
  readonly name: string
  /** Its argument. */
  readonly takes?: string
  readonly does: string
  run(rest: string): Promise<readonly SafeText[]>
}

/** A grant in the panel. */
export interface GrantLine {
  readonly id: string
  readonly words: SafeText
}

/** Contents of the status line. */
export interface ChatStatus {
  readonly model: SafeText
  readonly preset: SafeText
  /** No calls are held; shown in every frame. */
  readonly isClassic: boolean
  readonly session: SafeText
}

/** A conversation and its desk, as the chat screen sees them. */
export interface ChatSource extends CardWorld {
  subscribe(listen: (event: ChatEvent) => void): () => void
  status(): ChatStatus
  readonly commands: readonly ChatCommand[]
  grants(): Promise<readonly GrantLine[]>
  revoke(id: string): Promise<void>
  /** Sends a message to the agent; false if it is still working. */
  say(text: string): boolean
  /** Withdraws held calls and stops running ones, including child processes. */
  abort(): void
}
