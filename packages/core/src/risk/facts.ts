import type { CommandPart } from '../command/decomposition.ts'
import type { FoundVerb } from '../command/verb.ts'
import { hasFlag } from '../command/verb.ts'
import type { RiskFinding } from './finding.ts'
import type { Places } from './place.ts'
import type { LocatedPath } from './rated-path.ts'

/** Everything an assessor may look at. */
export interface PartFacts {
  readonly part: CommandPart
  /** The program's base name in lower case. */
  readonly program: string
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

/** Whether any of these flags is certainly there. */
export function anyFlag(part: CommandPart, ...flags: readonly string[]): boolean {
  return flags.some((flag) => hasFlag(part, flag) === 'yes')
}

/** Whether some option is one of these long flags or could be short for one: `--upl` is `--upload-pack`. */
export function anyAbbreviation(part: CommandPart, ...flags: readonly string[]): boolean {
  return part.args.some(({ value }) => {
    const name = value?.split('=', 1)[0] ?? ''
    return name.startsWith('--') && name.length > 3 && flags.some((flag) => flag.startsWith(name))
  })
}

/** Whether some argument is exactly one of these. */
export function anyWord(part: CommandPart, words: ReadonlySet<string>): boolean {
  return part.args.some((word) => word.value !== null && words.has(word.value))
}

/** Whether some argument starts with one of these. */
export function anyPrefix(part: CommandPart, ...prefixes: readonly string[]): boolean {
  return part.args.some((word) => prefixes.some((prefix) => word.value?.startsWith(prefix) === true))
}

/** Whether an argument is unknown. */
export function hasUnknown(part: CommandPart): boolean {
  return part.args.some((word) => word.value === null)
}

/**
 * Whether a command only shows what it would do. Not when a word is unknown, which could switch it off again, and not
 * for `--dry-run=none`.
 */
export function isDryRun(part: CommandPart, ...flags: readonly string[]): boolean {
  if (hasUnknown(part) || anyPrefix(part, '--no-dry')) return false
  return part.args.some(({ value }) => {
    if (value === null) return false
    if (flags.includes(value)) return true
    return /^--?dry-?run(?:=(?:client|server|true))?$/.test(value)
  })
}

/** Whether a command only prints its help or version. */
export function asksForHelp(part: CommandPart, plainFiles: boolean): boolean {
  for (const { value } of part.args) {
    if (value === '--help' || value === '--version' || value === '-help' || value === '-version') return true
    // Further back a flag may come too late: some programs act before they read it.
    if (value === null || plainFiles || !/^[a-z][\w:-]*$/.test(value)) return false
  }
  return false
}
