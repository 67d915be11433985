import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import type { WordSet } from '../../knowledge/words.ts'
import { isShowable } from '../arguments/displayable-name.ts'
import { anyAbbreviation, anyFlag } from '../arguments/flags.ts'
import { readTar } from '../arguments/tar-options.ts'
import { isInside, type Places } from '../path/category.ts'
import { type LocatedPath, locate, locateFolder, type RiskCircumstances } from '../path/located-path.ts'
import { treesRead } from '../path/trees-read.ts'
import { plainWords, spelled } from '../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../report/finding.ts'

/** Options of `rg` that mean something else in `grep`, where they have no value. */
const NOT_IN_GREP: ReadonlySet<string> = new Set(['-r', '-E', '-T'])
const GREP_OPTIONS: WordSet = {
  has: (option) => PROGRAMS.searchOptions.has(option) && !NOT_IN_GREP.has(option),
}

/** All processes, or all files of one. */
const PROCESSES = /^\/proc(?:\/(?:self|\d+))?$/

/**
 * Rates a command that reads everything below a folder. SECURITY: L2, below the gate's or the person's home folder, it
 * reads secret keys without naming one.
 */
export function rateRecursiveRead(
  part: CommandPart,
  paths: readonly LocatedPath[],
  callCwd: string,
  now: RiskCircumstances,
): RiskFinding | null {
  for (const path of foldersRead(part, paths, callCwd, now)) {
    if (!holdsAll(path, now.places) && !PROCESSES.test(path.at ?? '')) continue
    return finding(
      'high',
      'path.read-all',
      `reads everything below \`${path.given}\`, including keys and secrets`,
      'no',
    )
  }
  const secret = treesRead(part).flatMap(({ key }) => now.below?.get(key) ?? [])[0]
  if (secret === undefined) return null
  const shown = secret.slice(secret.lastIndexOf('/') + 1)
  return finding(
    'low',
    'path.read-below',
    `also reads ${isShowable(shown) ? `\`${shown}\`` : 'a file with secrets'}`,
    'no',
  )
}

/** The folders that a command reads with everything in them. */
function foldersRead(
  part: CommandPart,
  paths: readonly LocatedPath[],
  callCwd: string,
  now: RiskCircumstances,
): readonly LocatedPath[] {
  const program = lowerCase(part.program ?? '')
  const here = () => [locateFolder(part, callCwd, now)]
  const read = () => paths.filter(({ use }) => use === 'read')
  if (PROGRAMS.recursiveSearches.has(program) || (PROGRAMS.greps.has(program) && recurses(part))) {
    if (anyFlag(part, '--files', '--type-list')) return []
    const words = plainWords(part, PROGRAMS.greps.has(program) ? GREP_OPTIONS : PROGRAMS.searchOptions)
    const named = anyFlag(part, '-e', '-f') || anyAbbreviation(part, '--regexp', '--file') ? words : words.slice(1)
    return named.length === 0 ? here() : named.map((word) => locate(spelled(word, 'read', true), part, callCwd, now))
  }
  switch (program) {
    case 'tar':
    case 'gtar':
    case 'bsdtar': {
      const { mode, folder } = readTar(part)
      if (mode !== 'make') return []
      return folder === null ? read() : [...read(), locate(spelled(folder, 'read', true), part, callCwd, now)]
    }
    case 'zip':
      return anyFlag(part, '-r', '-R', '--recurse-paths') ? read() : []
    case '7z':
    case '7za':
    case '7zz':
    case 'rar':
      return read()
    case 'cp':
    case 'gcp':
    case 'scp':
      return anyFlag(part, '-r', '-R', '-a', '--recursive', '--archive') ? read() : []
    case 'rsync':
      return anyFlag(part, '-r', '-a', '--recursive', '--archive') && !anyFlag(part, '-n', '--dry-run') ? read() : []
    case 'find':
      if (!runsReader(part)) return []
      return paths.length === 0 ? here() : paths
    default:
      return []
  }
}

function recurses(part: CommandPart): boolean {
  return (
    anyFlag(part, '-r', '-R', '--recursive', '--dereference-recursive') ||
    part.args.some(({ value }) => value === '-drecurse' || value === '--directories=recurse' || value === 'recurse')
  )
}

function runsReader({ args }: CommandPart): boolean {
  return args.some(({ value }, at) => {
    if (value === null || !/^-(?:exec|ok)(?:dir)?$/.test(value)) return false
    const run = args[at + 1]?.value ?? ''
    return !PROGRAMS.metadataReaders.has(run.slice(run.lastIndexOf('/') + 1))
  })
}

/** Whether the gate's folder or the home folder is at or below a path; for a glob, whether it could match on the way there. */
function holdsAll({ at, glob, given }: LocatedPath, { gate, home }: Places): boolean {
  if (at === null) return false
  return [gate, home].some((folder) => {
    if (!isInside(folder, at)) return false
    if (!glob) return true
    const next = folder.slice(at === '/' ? 1 : at.length + 1)
    const begun = /(?:^|\/)([^/*?[{]*)[*?[{][^/]*/.exec(given)?.[1] ?? ''
    return next !== '' && next.startsWith(begun)
  })
}
