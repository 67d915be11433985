import {
  CountersignError,
  canonicalJson,
  type Decision,
  type GrantOffer,
  hostText,
  isLifetimeOffered,
  type Json,
  lifetimeBounds,
  type OfferedLifetime,
  shellQuote,
} from '@countersign/core'
import { type GrantChoice, grantChoices, withLifetime } from '@countersign/terminal/card'

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
  const lasting = flags.for === undefined ? found : ofLength(found, flags.for)
  const chosen = lasting.length === 1 ? lasting[0] : undefined
  if (chosen !== undefined) return chosen
  const offered = choices.map(({ grant }) => grantFlags(grant))
  const hint = offered.length === 0 ? 'none, because a grant would change nothing here' : offered.join(', ')
  const bounds = `${lifetimeBounds('minutes')} (\`45m\`), ${lifetimeBounds('uses')} (\`20\`)`
  const other = found.length > 0 && lasting.length === 0 ? `, or another length: ${bounds}` : ''
  throw new CountersignError('CS_GRANT_SCOPE', `this call does not offer that grant; offered: ${hint}${other}`)
}

/** The choices of this lifetime: offered, or another number of minutes or uses where some are offered. */
function ofLength(found: readonly GrantChoice[], text: string): readonly GrantChoice[] {
  const offered = found.filter(({ grant }) => flagOf(grant.lifetime) === text)
  const lifetime = readLifetime(text)
  if (offered.length > 0 || lifetime === null) return offered
  return found
    .filter(({ grant }) => grant.lifetime.kind === lifetime.kind && isLifetimeOffered(lifetime, [grant.lifetime]))
    .map((choice) => withLifetime(choice, lifetime))
}

function readLifetime(text: string): OfferedLifetime | null {
  const [, count = '', minutes] = /^(\d{1,4})(m?)$/.exec(text) ?? []
  if (count === '') return null
  return minutes === 'm' ? { kind: 'minutes', minutes: Number(count) } : { kind: 'uses', uses: Number(count) }
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
  const { lifetime } = grant
  const choices = grantChoices(offers).filter((choice) => choice.grant.lifetime.kind === lifetime.kind)
  const same = choices
    .map((choice) => withLifetime(choice, lifetime))
    .find((choice) => key(choice.grant) === key(grant))
  return same?.words ?? grantFlags(grant)
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
