import type { CommandPart, ExactCommands } from '../../command/model/decomposition.ts'
import { actsOf } from '../acts/acts-of.ts'
import { isInside } from '../path/category.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { MAX_PATHS } from '../path/paths-to-resolve.ts'
import type { RatedPart } from '../report/report.ts'
import { type Listing, withMatches } from './glob-words.ts'
import { isSeenWhole } from './prove-runners.ts'

type Rate = (parts: readonly CommandPart[], now: RiskCircumstances) => readonly RatedPart[]

/**
 * Proves a command by the simple commands with exact words that it comes down to. For a command that is more than simple
 * commands with literal words, all of them together; for one that changes its folder, each part by those with its words, in
 * every folder it could run in.
 */
export function proveExact(
  exact: ExactCommands | null,
  rated: readonly RatedPart[],
  isIntricate: boolean,
  now: RiskCircumstances,
  rate: Rate,
): readonly RatedPart[] {
  const proofs = exact === null ? null : proofsOf(exact, rated, now, rate)
  const whole = proofs === null || exact === null ? null : wholeOf(proofs, exact)
  return rated.map((part) => {
    if (part.command.origin !== undefined || part.proven === 'runs') return part
    const { proven, provided, ...rest } = part
    if (whole !== null) return { ...rest, proven: whole }
    // A change was proven only in a folder that is there.
    if (isIntricate || proven !== 'reads' || part.command.cwd === '') return part
    const same = proofs?.filter((one) => isSame(one.command, part.command)) ?? []
    return same.length > 0 && same.every((one) => one.proven !== undefined) ? part : rest
  })
}

function proofsOf(
  { parts }: ExactCommands,
  rated: readonly RatedPart[],
  now: RiskCircumstances,
  rate: Rate,
): readonly RatedPart[] | null {
  const resolved = new Map(now.resolved)
  const words: CommandPart[] = []
  const listedBy: Listing = (given) =>
    rated.find(({ command: { program, args, cwd, inside } }) => {
      const isGit = program === 'git' && cwd === '' && inside?.listed !== undefined
      return isGit && args.length === given.length && args.every(({ value }, at) => value === given[at])
    })?.command.inside?.listed
  for (const part of parts) {
    const variants = withMatches(part, now, resolved, listedBy)
    if (variants === null) return null
    const inside = rated.find(
      ({ command }) => command.inside !== undefined && isSame(command, part) && command.cwd === part.cwd,
    )
    for (const one of variants)
      words.push(inside?.command.inside === undefined ? one : { ...one, inside: inside.command.inside })
  }
  const proofs = rate(words, { ...now, resolved })
  // INVARIANT: L10, where some paths were not resolved, nothing is proven by them.
  const paths = [...rated, ...proofs].reduce((sum, part) => sum + part.paths.length, 0)
  if (paths > MAX_PATHS) return null
  return proofs.map((part) => {
    const { provided, proven, ...rest } = part
    if (proven === undefined || provided === undefined) return part
    return part.command.inside !== undefined && isSeenWhole(part.command.inside, rated) ? { ...rest, proven } : rest
  })
}

function wholeOf(proofs: readonly RatedPart[], { isConcurrent, parts }: ExactCommands): 'reads' | 'changes' | null {
  if (proofs.some(({ proven }) => proven === undefined || proven === 'runs')) return null
  if (proofs.every(({ proven }) => proven === 'reads')) return 'reads'
  // What programs do with files depends on the order, and a loop has none.
  if (proofs.some(({ proven, command }) => proven === 'changes' && actsOf(command) !== undefined)) return null
  // A change may come before a read at the same time, or make a file that a pattern matches.
  if (parts.some(({ args }) => args.some(({ glob, below }) => glob || below !== undefined))) return null
  return isConcurrent && !areApart(proofs) ? null : 'changes'
}

/** Whether it makes no difference which part comes first: what one changes, no other reads or changes. */
function areApart(proofs: readonly RatedPart[]): boolean {
  if (proofs.some(({ command, paths }) => command.inside !== undefined || paths.some(({ real }) => real === null)))
    return false
  return proofs.every(({ paths }, index) =>
    paths.every(({ use, real }) => {
      if (real === null || use === 'read') return real !== null
      return proofs.every(
        (other, at) => at === index || other.paths.every((one) => one.real !== null && !overlap(one.real, real)),
      )
    }),
  )
}

function overlap(one: string, other: string): boolean {
  return isInside(one, other) || isInside(other, one)
}

function isSame(one: CommandPart, other: CommandPart): boolean {
  return (
    one.program === other.program &&
    one.args.length === other.args.length &&
    one.args.every(({ value, glob }, at) => value === other.args[at]?.value && glob === other.args[at]?.glob)
  )
}
