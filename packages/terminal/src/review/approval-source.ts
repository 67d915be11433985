import type {
  Clock,
  Decision,
  GivenGrant,
  GrantScope,
  JsonObject,
  OpenedView,
  Receipt,
  RiskLevel,
  SafeText,
  WouldMatch,
} from '@countersign/core'

/** How a call ended, or what was decided of it: one line of the history on the screen. */
export interface CallReceipt {
  readonly callId: string
  /** What it was held as. */
  readonly mark: string
  readonly risk: RiskLevel
  /** What the call would do, in one line that holds no secret. */
  readonly summary: SafeText
  /** `approved` or `rejected` by a person; else how it ended: `expired`, `withdrawn`, … */
  readonly outcome: string
  /** How an approved call ended: `completed`, `failed`, …; null while it runs, or when it never ran. */
  readonly ended: string | null
  /** Approved with other arguments than the summary tells of. */
  readonly edited: boolean
  /** A copy from before it is kept: what it changed can be put back. */
  readonly undoable: boolean
  /** Who decided; null where nobody did. */
  readonly by: SafeText | null
  /** Where, when it was not here: `web`, `cli`, … */
  readonly surface: SafeText | null
  readonly reason: SafeText | null
  /** Wall-clock milliseconds. */
  readonly at: number
  /** How long it was held, in milliseconds. */
  readonly heldMs: number
}

/** What a source tells while it is listened to. */
export type DeskEvent =
  /** Everything that is held now, soonest deadline first. */
  | { readonly kind: 'held'; readonly calls: readonly OpenedView[] }
  /** A call that was held is no longer: decided, here or elsewhere, or over. */
  | { readonly kind: 'receipt'; readonly receipt: CallReceipt }
  /** Something a person should read; nothing is decided by it. */
  | { readonly kind: 'problem'; readonly message: SafeText }

/** What came of letting a person edit arguments. */
export type EditAnswer =
  | { readonly kind: 'edited'; readonly args: JsonObject }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly message: string }

/** What one card needs around it. */
export interface CardWorld {
  readonly clock: Clock
  /** Signs a decision and hands it in. A receipt that says `held` means that it did not count. */
  decide(opened: OpenedView, decision: Decision, passphrase?: string): Promise<Receipt>
  /** The key that signs opens only with its passphrase: `decide` fails with CS_PASSPHRASE without it. */
  readonly sealed?: boolean
  /** Another process holds the calls, and may not take a decision that was handed in: a card that stays says so. */
  readonly remote?: boolean
  /** What a grant of this scope would have covered in the past. */
  wouldMatch?(scope: GrantScope): Promise<WouldMatch>
  /** Opens an editor on the arguments; the terminal is the editor's until the promise resolves. */
  edit?(args: JsonObject): Promise<EditAnswer>
  /** Puts a text on the clipboard, as far as the terminal allows. */
  copy?(text: string): void
}

/** The deciding side as the queue sees it. Who makes one has the store, the key and the terminal; the screen has this. */
export interface DeskSource extends CardWorld {
  /** Calls `listen` with what is held now and with everything that happens from then on; the returned function ends it. */
  subscribe(listen: (event: DeskEvent) => void): () => void
  grants(): Promise<readonly GivenGrant[]>
  revoke(id: string): Promise<void>
  /** Asks to put back what a call changed. Itself a call: it is held like any other. Gives one line for the person. */
  undo(callId: string): Promise<SafeText>
}
