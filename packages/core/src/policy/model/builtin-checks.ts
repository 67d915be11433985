/** One option of a built-in check: what it holds where nobody sets it, and which of two values is the stricter. */
export type CheckOption =
  | {
      readonly kind: 'bytes' | 'count'
      readonly usual: number
      readonly stricter: 'less' | 'more'
      readonly means: string
    }
  | {
      readonly kind: 'hosts' | 'folders' | 'schemes'
      readonly usual: readonly string[]
      /** Only what both allow is allowed. */
      readonly stricter: 'common'
      readonly means: string
    }

const KB = 1024
const MB = 1024 * KB

/** Every check that is built in, with its options. What a rule may name and set is this table, and nothing else. */
export const CHECK_TABLE = {
  backup: {
    most: {
      kind: 'bytes',
      usual: 100 * MB,
      stricter: 'less',
      means: 'Maximum size of a copy. A larger one is not made.',
    },
    files: {
      kind: 'count',
      usual: 1000,
      stricter: 'less',
      means: 'Maximum number of files in a copy. A larger one is not made.',
    },
  },
  boundary: {
    also: { kind: 'folders', usual: [], stricter: 'common', means: 'Folders to treat like the workspace.' },
  },
  command: {},
  disk: {
    free: {
      kind: 'bytes',
      usual: 100 * MB,
      stricter: 'more',
      means: 'Space that must stay free on the target’s disk.',
    },
  },
  permissions: {},
  secrets: {},
  size: {
    most: { kind: 'bytes', usual: 512 * KB, stricter: 'less', means: 'Maximum size that one call may write.' },
    deleted: { kind: 'bytes', usual: 100 * MB, stricter: 'less', means: 'Maximum size that one call may delete.' },
    files: { kind: 'count', usual: 100, stricter: 'less', means: 'Maximum number of files that one call may delete.' },
  },
  url: {
    allow: { kind: 'hosts', usual: [], stricter: 'common', means: 'Hosts to accept even if they look suspicious.' },
    schemes: { kind: 'schemes', usual: ['http', 'https'], stricter: 'common', means: 'The schemes that may be used.' },
  },
} as const satisfies { readonly [check: string]: { readonly [option: string]: CheckOption } }

/** The name of a built-in check. */
export type BuiltinCheck = keyof typeof CHECK_TABLE

/** Names of the built-in checks. */
export const BUILTIN_CHECKS = Object.keys(CHECK_TABLE) as readonly BuiltinCheck[]

/** The options of one check, by name; empty when it has none. */
export function optionsOf(check: string): { readonly [option: string]: CheckOption } {
  return Object.hasOwn(CHECK_TABLE, check) ? CHECK_TABLE[check as BuiltinCheck] : {}
}

/** What an option is set to. */
type CheckValue = number | readonly string[]

/** The options of one check, every one of them: what a rule leaves out is as usual. */
type CheckOptions = { readonly [option: string]: CheckValue }

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
  const contributed = all.filter((one) => one !== NO_SETTINGS)
  const [first = NO_SETTINGS, ...rest] = contributed
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
