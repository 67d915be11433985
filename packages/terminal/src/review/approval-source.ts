import type {
  AlwaysOffer,
  Clock,
  Decision,
  Feedback,
  GivenGrant,
  GrantScope,
  JsonObject,
  OpenedView,
  Receipt,
  RiskLevel,
  RulesAnswer,
  RulesProposal,
  SafeText,
  WouldMatch,
} from '@countersign/core'

/** The outcome of a call, as one line on the screen. */
export interface CallReceipt {
  readonly callId: string
  /** Its short id. */
  readonly mark: string
  readonly risk: RiskLevel
  /** The effect of the call in one line, without secrets. */
  readonly summary: SafeText
  /** `approved` or `rejected` by a person; otherwise the outcome: `expired`, `withdrawn`, … */
  readonly outcome: string
  /** The outcome of an approved call: `completed`, `failed`, …; null while it runs, or if it never ran. */
  readonly ended: string | null
  /** The command ran in the sandbox. */
  readonly contained: boolean
  /** Approved with edited arguments. */
  readonly edited: boolean
  /** A backup exists: its changes can be undone. */
  readonly undoable: boolean
  /** Who decided; null if nobody did. */
  readonly by: SafeText | null
  /** The surface of the decision, if not this one: `web`, `cli`, … */
  readonly surface: SafeText | null
  readonly reason: SafeText | null
  /** Wall-clock milliseconds. */
  readonly at: number
  /** Time it was held, in milliseconds. */
  readonly heldMs: number
}

/** An event of a desk source. */
export type DeskEvent =
  /** All held calls, soonest deadline first. */
  | { readonly kind: 'held'; readonly calls: readonly OpenedView[] }
  /** A call is no longer held: it was decided or has ended. */
  | { readonly kind: 'receipt'; readonly receipt: CallReceipt }
  /** Everything is paused: why. Null once it is not. */
  | { readonly kind: 'paused'; readonly why: SafeText | null }
  /** A message for the person. */
  | { readonly kind: 'problem'; readonly message: SafeText }

/** The result of editing arguments. */
export type EditAnswer =
  | { readonly kind: 'edited'; readonly args: JsonObject }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly message: string }

/** Dependencies of a card. */
export interface CardWorld {
  readonly clock: Clock
  /** Signs and submits a decision; once it is accepted, signs and adds the rule, and reports what became of that itself. A receipt with state `held` means it was not accepted. */
  decide(opened: OpenedView, decision: Decision, passphrase?: string, rule?: RulesAnswer): Promise<Receipt>
  /** The key needs its passphrase: without it, `decide` fails with CS_PASSPHRASE. */
  readonly sealed?: boolean
  /** Another process holds the calls and may not accept a decision; the card then says so. */
  readonly remote?: boolean
  /** What a rule made from this call would change. Without it, no rules are offered. */
  proposeRule?(opened: OpenedView, offer: AlwaysOffer): Promise<RulesProposal>
  /** Past calls that a grant of this scope would have matched. */
  wouldMatch?(scope: GrantScope): Promise<WouldMatch>
  /**
   * Opens a long text of the arguments in an editor, or all of them as JSON if there is none or `whole` is set. The editor
   * has the terminal until the promise resolves.
   */
  edit?(args: JsonObject, whole: boolean): Promise<EditAnswer>
  /** Copies a text to the clipboard, if the terminal allows it. */
  copy?(text: string): void
}

/** The desk as the queue screen sees it. */
export interface DeskSource extends CardWorld {
  /** Calls `listen` with the held calls, then with every event. Returns an unsubscribe function. */
  subscribe(listen: (event: DeskEvent) => void): () => void
  grants(): Promise<readonly GivenGrant[]>
  revoke(id: string): Promise<void>
  /** Records whether a decided call was worth asking about. Changes no rule. */
  rate(callId: string, answer: Feedback): Promise<void>
  /** Holds every call of every agent, or ends that. Returns a message for the person. */
  setPause?(to: 'pause' | 'resume'): Promise<SafeText>
  /** Requests an undo, which is itself a held call. Returns a message for the person. */
  undo(callId: string): Promise<SafeText>
}
