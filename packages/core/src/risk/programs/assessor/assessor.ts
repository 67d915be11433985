import type { CommandPart } from '../../../command/model/decomposition.ts'
import type { FoundVerb } from '../../../command/programs/subcommand.ts'
import type { ProgramRow } from '../../../knowledge/programs.ts'
import type { Places } from '../../path/category.ts'
import type { LocatedPath } from '../../path/located-path.ts'
import type { RiskFinding } from '../../report/finding.ts'

export { anyAbbreviation, anyFlag, anyPrefix, anyWord, hasUnknown, isDryRun } from '../../arguments/flags.ts'

/** What a rater may read about a simple command. */
export interface PartFacts {
  readonly part: CommandPart
  /** The program's base name in lower case. */
  readonly program: string
  /** What is known of it. */
  readonly row: ProgramRow
  readonly verb: FoundVerb
  readonly paths: readonly LocatedPath[]
  readonly places: Places
  /** The folder it runs in. */
  readonly folder: LocatedPath
  /** True when the command it runs is rated as its own part. */
  readonly hasInner: boolean
}

/** Rates one program's use. Paths, redirections and the environment are rated elsewhere. */
export type Assess = (facts: PartFacts) => RiskFinding

/** The index of a flag for help or the version with only verbs before it; -1 when there is none. */
export function helpAt({ args }: CommandPart): number {
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null) return -1
    if (value === '--help' || value === '-help') return at
    // Before another word it is an option with a value: `cargo yank --version 1.0`.
    if ((value === '--version' || value === '-version') && (at === 0 || at === args.length - 1)) return at
    // Later flags may come too late: some programs act before they read them.
    if (!isPlainWord(value)) return -1
  }
  return -1
}

const PLAIN_REST = /^[\w:-]*$/

/** A word such as a verb: a small letter, then letters, digits and `_`, `:`, `-`. Most have only small letters. */
function isPlainWord(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 97 || code > 122) return at > 0 && PLAIN_REST.test(value)
  }
  return value !== ''
}
