import {
  CountersignError,
  canonicalJson,
  type Decision,
  type GrantOffer,
  hostText,
  type Json,
  type OfferedLifetime,
  shellQuote,
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
  // The exact name wins; a kind alone must leave one choice.
  const named = choices.filter(({ grant }) => nameOf(grant) === flags.grant)
  const found = named.length > 0 ? named : choices.filter(({ grant }) => grant.scope.kind === flags.grant)
  const lasting = flags.for === undefined ? found : found.filter(({ grant }) => flagOf(grant.lifetime) === flags.for)
  const chosen = lasting.length === 1 ? lasting[0] : undefined
  if (chosen !== undefined) return chosen
  const offered = choices.map(({ grant }) => grantFlags(grant))
  const hint = offered.length === 0 ? 'none, because a grant would change nothing here' : offered.join(', ')
  throw new CountersignError('CS_GRANT_SCOPE', `this call does not offer that grant; offered: ${hint}`)
}

/** The flags for a grant. */
export function grantFlags(grant: GrantChoice['grant']): string {
  const name = nameOf(grant)
  return `--grant ${/^[\w.:/@+-]+$/.test(name) ? name : shellQuote(name)} --for ${flagOf(grant.lifetime)}`
}

/** `exact`, `network:example.com`, or with what an exception adds to the sandbox, `exact:/srv/shared`. */
function nameOf({ scope, bounds }: GrantChoice['grant']): string {
  if (scope.kind === 'network') return `network:${hostText(scope.host, scope.port)}`
  if (bounds === undefined) return scope.kind
  const { write, read, network, credentials } = bounds
  return `${scope.kind}:${[...write, ...read, ...network, ...credentials].join(',')}`
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
