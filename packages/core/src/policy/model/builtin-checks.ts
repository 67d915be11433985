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
    most: { kind: 'bytes', usual: 100 * MB, stricter: 'less', means: 'A copy larger than this is not made.' },
    files: { kind: 'count', usual: 1000, stricter: 'less', means: 'A copy of more files than this is not made.' },
  },
  boundary: {
    also: { kind: 'folders', usual: [], stricter: 'common', means: 'Folders that count like the workspace.' },
  },
  command: {},
  disk: {
    free: { kind: 'bytes', usual: 100 * MB, stricter: 'more', means: 'What must stay free on the target’s disk.' },
  },
  permissions: {},
  secrets: {},
  size: {
    most: { kind: 'bytes', usual: 512 * KB, stricter: 'less', means: 'The most that one call may write.' },
    deleted: { kind: 'bytes', usual: 100 * MB, stricter: 'less', means: 'The most that one call may delete.' },
    files: { kind: 'count', usual: 100, stricter: 'less', means: 'The most files that one call may delete.' },
  },
  url: {
    allow: { kind: 'hosts', usual: [], stricter: 'common', means: 'Hosts that are fine although they look otherwise.' },
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
