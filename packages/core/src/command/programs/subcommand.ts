import type { CommandPart, CommandWord } from '../model/decomposition.ts'
import { globalOptions, isVerbGroup } from './global-options.ts'
import { lowerCase } from './program-names.ts'

export { hasFlag } from './flags.ts'

/** The verb of a command such as `git push`, and the words after it. */
export type FoundVerb =
  | { readonly kind: 'verb'; readonly verb: string; readonly rest: readonly CommandWord[] }
  /** No verb: `git --version`, `ls`. */
  | { readonly kind: 'none' }
  /** A word or an option before it is unknown. */
  | { readonly kind: 'unknown' }

const NONE = -1

/** The index of the verb among the words after the program's name; -1 for none, null when unknown. */
function locateVerb(program: string, args: readonly CommandWord[]): number | null {
  const table = globalOptions(program)
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const value = word?.value ?? null
    if (value === null || word?.glob === true) return null
    if (value === '--') return at + 1 < args.length ? at + 1 : NONE
    // `cargo +nightly build` selects a toolchain.
    if (at === 0 && program === 'cargo' && value.startsWith('+')) continue
    if (!value.startsWith('-')) return at
    if (table === undefined) return null
    if (table.valued.has(value)) at++
    else if (!table.flags.has(value) && !value.includes('=') && program !== 'terraform' && program !== 'tofu')
      return null
  }
  return NONE
}

/** Finds the verb after the program's options. Never guesses: an unknown option makes the verb unknown. */
export function findVerb(part: CommandPart): FoundVerb {
  if (part.program === null) return { kind: 'unknown' }
  const at = locateVerb(lowerCase(part.program), part.args)
  if (at === null) return { kind: 'unknown' }
  const verb = at === NONE ? undefined : part.args[at]
  if (verb === undefined || verb.value === null) return { kind: 'none' }
  return { kind: 'verb', verb: verb.value, rest: part.args.slice(at + 1) }
}

/** The index of the verb among words; null when there is none or it is unknown. */
export function findVerbIndex(program: string, args: readonly CommandWord[]): number | null {
  const at = locateVerb(program, args)
  return at === null || at === NONE || args[at]?.value == null ? null : at
}

/** Programs whose verbs are several groups deep. */
const DEEP = /^(?:gcloud|az)$/
const MOST_WORDS = 4

/**
 * The complete verb: `add` of `git add x`, `pr list` of `gh pr list`, since `pr` alone could also merge. Null when part of
 * it is unknown.
 */
export function wholeVerb(part: CommandPart): string | null {
  const found = findVerb(part)
  if (found.kind !== 'verb' || part.program === null || !isVerbWord(found.verb)) return null
  if (!isVerbGroup(part.program, found.verb)) return found.verb
  const behind = found.rest.findIndex(({ value, glob }) => glob || value === null || !isVerbWord(value))
  const words = found.rest.slice(0, behind === -1 ? found.rest.length : behind).map(({ value }) => value)
  const taken = words.slice(0, DEEP.test(part.program) ? MOST_WORDS - 1 : 1)
  return taken.length === 0 ? null : [found.verb, ...taken].join(' ')
}

function isVerbWord(text: string): boolean {
  return /^[A-Za-z][\w:.-]{0,30}$/.test(text)
}
