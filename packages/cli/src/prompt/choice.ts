import type { Decision, GrantOffer, OfferedLifetime, OpenedView, RiskLevel } from '@countersign/core'
import { riskRank } from '@countersign/core'

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
  secrets = 0,
): PromptFacts {
  const act = actFor(opened.body.supervision, opened.view.risk.level)
  const allPages = pages.card + pages.details
  // SECURITY: A14 what the card folds has been seen only in the details.
  const isUnread = (pages.folded ?? 0) > 0 && riskRank(opened.view.risk.level) >= riskRank('medium')
  return {
    act,
    code: opened.code,
    pages: act === 'manual' || isUnread ? allPages : pages.card,
    allPages,
    grants: act === 'manual' ? [] : grantChoices(opened.view.offers),
    secrets,
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

/** A lifetime in words, as it is said before it is given. */
export function lifetimeWords(lifetime: OfferedLifetime): string {
  switch (lifetime.kind) {
    case 'uses':
      return lifetime.uses === 1 ? 'once' : `${lifetime.uses} times`
    case 'minutes':
      return `for ${lifetime.minutes} minutes`
    case 'session':
      return 'until this session ends'
  }
}
