import { type CheckOption, optionsOf } from './builtin-checks.ts'

/** What an option is set to. */
export type CheckValue = number | readonly string[]

/** The options of one check, every one of them: what a rule leaves out is as usual. */
export type CheckOptions = { readonly [option: string]: CheckValue }

/** Options by check; a check without any is not listed. */
export type CheckSettings = { readonly [check: string]: CheckOptions }

export const NO_SETTINGS: CheckSettings = Object.freeze({})

/** A check as a rule names it, with what the rule says of its options. */
export interface NamedCheck {
  readonly name: string
  readonly options: { readonly [option: string]: CheckValue | undefined }
}

/** The options of the checks one rule names; a check named twice gets the stricter of both. */
export function settingsOf(checks: readonly NamedCheck[]): CheckSettings {
  return mergeSettings(checks.map(({ name, options }) => filled(name, options)))
}

function filled(name: string, given: NamedCheck['options']): CheckSettings {
  const table = Object.entries(optionsOf(name))
  if (table.length === 0) return NO_SETTINGS
  return { [name]: Object.fromEntries(table.map(([option, { usual }]) => [option, given[option] ?? usual])) }
}

/** INVARIANT: L4, where several rules configure one check, each option is as strict as the strictest of them says. */
export function mergeSettings(all: readonly CheckSettings[]): CheckSettings {
  const spoken = all.filter((one) => one !== NO_SETTINGS)
  const [first = NO_SETTINGS, ...rest] = spoken
  return rest.reduce(merged, first)
}

function merged(a: CheckSettings, b: CheckSettings): CheckSettings {
  if (a === b) return a
  const checks = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
  return Object.fromEntries(
    checks.map((check) => {
      const [left, right] = [a[check], b[check]]
      return [check, left === undefined || right === undefined ? (left ?? right ?? {}) : strictest(check, left, right)]
    }),
  )
}

function strictest(check: string, a: CheckOptions, b: CheckOptions): CheckOptions {
  return Object.fromEntries(
    Object.entries(optionsOf(check)).map(([name, option]) => [
      name,
      stricterOf(option, a[name] ?? option.usual, b[name] ?? option.usual),
    ]),
  )
}

function stricterOf({ stricter }: CheckOption, a: CheckValue, b: CheckValue): CheckValue {
  if (typeof a === 'number' && typeof b === 'number') return stricter === 'more' ? Math.max(a, b) : Math.min(a, b)
  if (typeof a === 'number' || typeof b === 'number') return []
  return a.filter((one) => b.includes(one)).sort()
}
