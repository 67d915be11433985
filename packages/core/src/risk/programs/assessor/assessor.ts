import type { CommandPart } from '../../../command/model/decomposition.ts'
import type { FoundVerb } from '../../../command/programs/subcommand.ts'
import type { ProgramRow } from '../../../knowledge/programs.ts'
import type { Places } from '../../path/category.ts'
import type { LocatedPath } from '../../path/located-path.ts'
import type { RiskFinding } from '../../report/finding.ts'

export { anyAbbreviation, anyFlag, anyPrefix, anyWord, hasUnknown, isDryRun } from '../../arguments/flags.ts'

/** Everything an assessor may look at. */
export interface PartFacts {
  readonly part: CommandPart
  /** The program's base name in lower case. */
  readonly program: string
  /** What is known of it. */
  readonly row: ProgramRow
  readonly verb: FoundVerb
  readonly paths: readonly LocatedPath[]
  readonly places: Places
  /** Where the folder it runs in lies. */
  readonly folder: LocatedPath
  /** True when what it runs is a part of its own. */
  readonly hasInner: boolean
}

/** Rates one program's use. Paths, redirections and the environment are rated elsewhere. */
export type Assess = (facts: PartFacts) => RiskFinding

/** Where a command is asked for its help or version, with nothing but verbs before; -1 when it is not. */
export function helpAt({ args }: CommandPart): number {
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null) return -1
    if (value === '--help' || value === '-help') return at
    // Before another word it is a value's name: `cargo yank --version 1.0`.
    if ((value === '--version' || value === '-version') && (at === 0 || at === args.length - 1)) return at
    // Further back a flag may come too late: some programs act before they read it.
    if (!isPlainWord(value)) return -1
  }
  return -1
}

const PLAIN_REST = /^[\w:-]*$/

/** A word such as a verb: a small letter, then letters, digits and `_`, `:`, `-`. Most are small letters and no more. */
function isPlainWord(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < 97 || code > 122) return at > 0 && PLAIN_REST.test(value)
  }
  return value !== ''
}
