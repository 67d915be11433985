import {
  type AlwaysOffer,
  cardVerbs,
  type Decision,
  type GrantOffer,
  type GrantScope,
  isAnswerOnly,
  lifetimeWords,
  type OfferedLifetime,
  type OpenedView,
  type RiskLevel,
  riskRank,
  USUAL_VERBS,
  type Verbs,
  type WouldMatch,
} from '@countersign/core'

/** A grant to pick by key, with its scope and lifetime in words. */
export interface GrantChoice {
  readonly grant: NonNullable<Decision['grant']>
  readonly words: string
  /** The two parts of `words`: choices of one scope are listed together. */
  readonly covers: string
  readonly lasts: string
}

/** A rule to pick by key: the answer “always”. */
export interface RuleChoice {
  readonly rule: AlwaysOffer
  /** The scope of the grant beside it, whose past matches are shown. */
  readonly scope: GrantScope
  readonly words: string
  readonly covers: string
  readonly lasts: string
}

/** What can be allowed along with an approval. */
export type AllowChoice = GrantChoice | RuleChoice

/** The key of a choice: 1 to 9, then a to z. */
export function choiceKey(at: number): string {
  return (at + 1).toString(MOST_CHOICES + 1)
}

const MOST_CHOICES = 35

/** The facts of a held call that control the prompt. */
export interface PromptFacts {
  /** `one`: one key. `two`: the key twice. `manual`: details, code and reason. */
  readonly act: 'one' | 'two' | 'manual'
  readonly code: string
  /** Pages that must be shown before approving. */
  readonly pages: number
  /** Number of all pages, including the details. */
  readonly allPages: number
  readonly grants: readonly AllowChoice[]
  /** Number of masked secrets. */
  readonly secrets: number
  /** They must be shown before approving. */
  readonly mustReveal?: true
  /** Labels of the two choices, if not Approve and Reject. */
  readonly verbs?: Verbs
  /** The key needs its passphrase for every decision. */
  readonly sealed?: true
  /** Only a passkey can approve; here the person can read and reject. */
  readonly passkey?: true
}

/** Esc leaves things. It never decides: people press it without reading. */
export function escapeNote({ verbs = USUAL_VERBS }: PromptFacts): string {
  return `Esc decides nothing; press n to ${verbs.reject.toLowerCase()}`
}

/** The confirmation that an approval needs. SECURITY: A5 from high risk on, one key is never enough. */
export function actFor(supervision: string, risk: RiskLevel): PromptFacts['act'] {
  if (supervision === 'manual') return 'manual'
  return riskRank(risk) >= riskRank('high') ? 'two' : 'one'
}

/**
 * Whether the text must be read to the end, with its secrets shown. SECURITY: A14 from medium risk on, nothing is approved
 * unread.
 */
export function mustBeRead({ view, body }: OpenedView): boolean {
  return body.supervision === 'manual' || riskRank(view.risk.level) >= riskRank('medium')
}

/** The facts of a held call, given its number of pages. */
export function factsOf(
  opened: OpenedView,
  pages: { readonly card: number; readonly details: number; readonly digests?: number; readonly folded?: number },
  more: { readonly secrets?: number; readonly sealed?: boolean; readonly rules?: boolean } = {},
): PromptFacts {
  const act = actFor(opened.body.supervision, opened.view.risk.level)
  const read = pages.card + pages.details
  const allPages = read + (pages.digests ?? 0)
  // SECURITY: A14 folded text counts as read only after the details.
  const isUnread = (pages.folded ?? 0) > 0 && riskRank(opened.view.risk.level) >= riskRank('medium')
  return {
    act,
    code: opened.code,
    pages: act === 'manual' || isUnread ? read : pages.card,
    allPages,
    // An answer to one question cannot be granted for the next.
    grants:
      act === 'manual' || isAnswerOnly(opened) || opened.body.passkey === true
        ? []
        : allowChoices(opened.view.offers, more.rules === true),
    secrets: more.secrets ?? 0,
    ...((more.secrets ?? 0) > 0 && mustBeRead(opened) ? { mustReveal: true } : {}),
    verbs: cardVerbs(opened),
    ...(more.sealed === true ? { sealed: true } : {}),
    ...(opened.body.passkey === true ? { passkey: true } : {}),
  }
}

/** Every grant that is offered and, where rules can be added, the rule for the same scope. One key picks. */
function allowChoices(offers: readonly GrantOffer[], rules: boolean): readonly AllowChoice[] {
  const all = offers.flatMap((offer): readonly AllowChoice[] => [
    ...grantChoices([offer]),
    ...(rules && offer.always !== undefined ? [ruleChoice(offer, offer.always)] : []),
  ])
  return all.slice(0, MOST_CHOICES)
}

function ruleChoice({ scope, words: covers }: GrantOffer, rule: AlwaysOffer): RuleChoice {
  return { rule, scope, words: `always: ${rule.words}`, covers, lasts: 'always' }
}

/** Choices as they are listed: each scope once, with the keys of its lifetimes. */
export function choiceLines(choices: readonly AllowChoice[]): readonly string[] {
  const scopes = new Map<string, string[]>()
  for (const [at, { covers, lasts }] of choices.entries())
    scopes.set(covers, [...(scopes.get(covers) ?? []), `${choiceKey(at)} ${lasts}`])
  return [...scopes].flatMap(([covers, keys]) => [covers, `  ${keys.join(' · ')}`])
}

/** Every combination of offered scope and lifetime. */
export function grantChoices(offers: readonly GrantOffer[]): readonly GrantChoice[] {
  return offers
    .flatMap(({ scope, lifetimes, words, bounds }) =>
      lifetimes.map((lifetime) => ({
        grant: bounds === undefined ? { scope, lifetime } : { scope, lifetime, bounds },
        words: `${words}, ${lifetimeWords(lifetime)}`,
        covers: words,
        lasts: lifetimeWords(lifetime),
      })),
    )
    .slice(0, MOST_CHOICES)
}

/** The same grant for another length of time or number of uses. */
export function withLifetime(choice: GrantChoice, lifetime: OfferedLifetime): GrantChoice {
  const lasts = lifetimeWords(lifetime)
  return { ...choice, grant: { ...choice.grant, lifetime }, words: `${choice.covers}, ${lasts}`, lasts }
}

/** Past matches of a grant; null while loading. */
export type PastMatches = WouldMatch | 'unknown' | null

/** Past matches of a grant, in words: how many, up to three of them, and one that it would not match. */
export function pastLines(past: PastMatches): readonly string[] {
  if (past === null) return ['checking past calls …']
  if (past === 'unknown') return ['past matches are unknown']
  const high = past.high === 0 ? '' : `, ${past.high} of them high risk, which would still ask`
  return [
    `would have matched ${past.matched} of the last ${past.of} calls${high}`,
    ...past.examples.map((one) => `  yes  ${one}`),
    ...(past.nearMiss === null ? [] : [`  no   ${past.nearMiss}`]),
  ]
}
