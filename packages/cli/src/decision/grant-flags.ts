import {
  CountersignError,
  canonicalJson,
  type Decision,
  type GrantOffer,
  type Json,
  type OfferedLifetime,
} from '@countersign/core'
import { type GrantChoice, grantChoices } from '@countersign/terminal/card'

/** `--grant` and `--for`. */
export interface GrantFlags {
  readonly grant?: string
  readonly for?: string
}

/** The offered grant that the flags name. Any other grant is refused. */
export function grantFor(offers: readonly GrantOffer[], flags: GrantFlags): GrantChoice | undefined {
  if (flags.grant === undefined) {
    if (flags.for === undefined) return undefined
    throw new CountersignError('CS_USAGE', '`--for` sets how long a grant lasts; choose one with `--grant`')
  }
  const choices = grantChoices(offers)
  const found = choices.filter(({ grant }) => grant.scope.kind === flags.grant)
  const chosen =
    flags.for === undefined && found.length === 1
      ? found[0]
      : found.find(({ grant }) => flagOf(grant.lifetime) === flags.for)
  if (chosen !== undefined) return chosen
  const offered = choices.map(({ grant }) => grantFlags(grant))
  const hint = offered.length === 0 ? 'none, because a grant would change nothing here' : offered.join(', ')
  throw new CountersignError('CS_GRANT_SCOPE', `this call does not offer that grant; offered: ${hint}`)
}

/** The flags for a grant. */
export function grantFlags({ scope, lifetime }: GrantChoice['grant']): string {
  return `--grant ${scope.kind} --for ${flagOf(lifetime)}`
}

/** The exact scope and lifetime of the grant in a decision, in words; null if it has none. */
export function grantedWords(offers: readonly GrantOffer[], { grant }: Decision): string | null {
  if (grant === undefined) return null
  const key = (given: GrantChoice['grant']): string => canonicalJson(given as unknown as Json)
  return grantChoices(offers).find((choice) => key(choice.grant) === key(grant))?.words ?? grantFlags(grant)
}

function flagOf(lifetime: OfferedLifetime): string {
  switch (lifetime.kind) {
    case 'uses':
      return String(lifetime.uses)
    case 'minutes':
      return `${lifetime.minutes}m`
    case 'session':
      return 'session'
  }
}
