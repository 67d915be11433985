import {
  type Decision,
  type GrantOffer,
  lifetimeWords,
  type OpenedView,
  type RiskLevel,
  riskRank,
  type WouldMatch,
} from '@countersign/core'

/** One grant a person may pick by number: what it covers, and for how long. */
export interface GrantChoice {
  readonly grant: NonNullable<Decision['grant']>
  readonly words: string
}

/** What of a held call steers the prompt. */
export interface PromptFacts {
  /** `one`: a key. `two`: a key, and the same again. `manual`: details, code and reason. */
  readonly act: 'one' | 'two' | 'manual'
  readonly code: string
  /** Pages that must have been printed before approving; the first is there from the start. */
  readonly pages: number
  /** All pages, those of the details last. */
  readonly allPages: number
  readonly grants: readonly GrantChoice[]
  /** Secrets that the card covers. */
  readonly secrets: number
  /** What the two choices are called, where not Approve and Reject. */
  readonly verbs?: Verbs
  /** The key that signs here opens only with its passphrase, which every decision asks for. */
  readonly sealed?: true
  /** Policy lets only a passkey approve: here one can read and reject. */
  readonly passkey?: true
}

/** The two choices, in words. */
export interface Verbs {
  readonly approve: string
  readonly reject: string
}

/** An agent that asked for leave is answered: nothing runs by it. */
const LEAVE: Verbs = { approve: 'Proceed', reject: 'Cancel' }
/** What the choices are called unless told. */
export const USUAL_VERBS: Verbs = { approve: 'Approve', reject: 'Reject' }

/** Whether a call only asks for leave: there is nothing in it to edit or to give. */
export function asksForLeave(opened: OpenedView): boolean {
  return verbsOf(opened) === LEAVE
}

/** What the choices of a call are called: those of the loop's own `proceed`, which no server's tool can be, have names of their own. */
export function verbsOf({ body, view }: OpenedView): Verbs {
  const { server, name } = body.call.tool
  return server === null && name === 'proceed' && view.confirmationMessage !== null ? LEAVE : USUAL_VERBS
}

/** How deliberate an approval must be. SECURITY: A5 from high on, one key is never enough. */
export function actFor(supervision: string, risk: RiskLevel): PromptFacts['act'] {
  if (supervision === 'manual') return 'manual'
  return riskRank(risk) >= riskRank('high') ? 'two' : 'one'
}

/** The facts of an opened view whose card and details take so many pages. */
export function factsOf(
  opened: OpenedView,
  pages: { readonly card: number; readonly details: number; readonly folded?: number },
  more: { readonly secrets?: number; readonly sealed?: boolean } = {},
): PromptFacts {
  const act = actFor(opened.body.supervision, opened.view.risk.level)
  const verbs = verbsOf(opened)
  const allPages = pages.card + pages.details
  // SECURITY: A14 what the card folds has been seen only in the details.
  const isUnread = (pages.folded ?? 0) > 0 && riskRank(opened.view.risk.level) >= riskRank('medium')
  return {
    act,
    code: opened.code,
    pages: act === 'manual' || isUnread ? allPages : pages.card,
    allPages,
    // An answer to one question is none to the next.
    grants: act === 'manual' || verbs === LEAVE || opened.body.passkey === true ? [] : grantChoices(opened.view.offers),
    secrets: more.secrets ?? 0,
    verbs,
    ...(more.sealed === true ? { sealed: true } : {}),
    ...(opened.body.passkey === true ? { passkey: true } : {}),
  }
}

/** Each scope with each lifetime it is offered for; nine at most, so that one digit picks. */
export function grantChoices(offers: readonly GrantOffer[]): readonly GrantChoice[] {
  return offers
    .flatMap(({ scope, lifetimes, words }) =>
      lifetimes.map((lifetime) => ({ grant: { scope, lifetime }, words: `${words}, ${lifetimeWords(lifetime)}` })),
    )
    .slice(0, 9)
}

/** What a grant would have covered; null while it is looked for. */
export type Past = WouldMatch | 'unknown' | null

/** What the grant would have covered, from the journal; it informs, and decides nothing. */
export function pastWords(past: Past): string {
  if (past === null) return 'checking past calls …'
  if (past === 'unknown') return 'past matches are unknown'
  const high = past.high === 0 ? '' : `, ${past.high} of them high risk, which would still ask`
  return `would have matched ${past.matched} of the last ${past.of} calls${high}`
}
