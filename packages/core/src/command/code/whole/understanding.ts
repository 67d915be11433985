import type { CodeEffect } from '../find-effects.ts'

/**
 * Code that is understood whole: every name, member and module in it is known, so that its only effects are those listed.
 * INVARIANT: an allow-list. What is not known to be harmless makes code unclear.
 */
export type Understanding =
  | {
      readonly kind: 'whole'
      readonly effects: readonly CodeEffect[]
      /** Modules that it loads, as written: not those of the language itself. */
      readonly loads: readonly string[]
      /** It runs tests: these get objects with members that read files. */
      readonly tests: boolean
      /** It may list the members of any object. */
      readonly lists: boolean
    }
  | { readonly kind: 'unclear'; readonly why: string }

/** How code is run. */
export interface CodeSetting {
  /** The folder of the file, as paths in code see it: relative to the working folder. Null if unknown. */
  readonly folder: string | null
  /** The code is given on the command line. */
  readonly inline: boolean
}

/** More code than this is not read. */
export const MAX_CODE = 128 * 1024

/** The effect of an act on one or two paths. */
export function pathEffect(kind: CodeEffect['kind'], ...paths: readonly string[]): CodeEffect {
  return { kind, run: null, paths }
}
