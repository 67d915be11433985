import { CountersignError, type Decision, type GrantOffer, type OfferedLifetime } from '@countersign/core'
import { grantChoices } from '@countersign/terminal/card'

/** The grant as the command line names it. */
export interface GrantFlags {
  readonly grant?: string
  readonly for?: string
}

/** The offered grant that the flags mean. Only what was offered can be given, so everything else is refused here already. */
export function grantFor(offers: readonly GrantOffer[], flags: GrantFlags): Decision['grant'] {
  if (flags.grant === undefined) {
    if (flags.for === undefined) return undefined
    throw new CountersignError('CS_USAGE', '`--for` says how long a grant lives; name one with `--grant`')
  }
  const found = offers
    .filter((offer) => offer.scope.kind === flags.grant)
    .flatMap(({ scope, lifetimes }) => lifetimes.map((lifetime) => ({ scope, lifetime })))
  const chosen =
    flags.for === undefined && found.length === 1
      ? found[0]
      : found.find(({ lifetime }) => isMeant(lifetime, flags.for ?? ''))
  if (chosen !== undefined) return chosen
  const offered = offers.flatMap(({ scope, lifetimes }) =>
    lifetimes.map((lifetime) => `--grant ${scope.kind} --for ${flagOf(lifetime)}`),
  )
  const hint = grantChoices(offers).length === 0 ? 'none is: it would change nothing' : offered.join(', ')
  throw new CountersignError('CS_GRANT_SCOPE', `that grant is not offered for this call; offered: ${hint}`)
}

function isMeant(lifetime: OfferedLifetime, text: string): boolean {
  return flagOf(lifetime) === text
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
