import { interpreterOf } from '../../../command/code/inline-code.ts'
import { rowList } from '../../../knowledge/programs.ts'
import { isInside } from '../../path/category.ts'
import { findsRegenerable } from '../../path/file-program-paths.ts'
import type { LocatedPath } from '../../path/located-path.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { type Extent, finding } from '../../report/finding.ts'
import { type Assess, anyAbbreviation, anyFlag, isDryRun, type PartFacts } from '../assessor/assessor.ts'

const isPassing = ({ place }: LocatedPath) => place === 'regenerable' || place === 'temp'

/** How much a deletion takes: the first target by name, and how many there are. */
function taken(targets: readonly LocatedPath[]): Extent {
  const [first] = targets
  if (first === undefined) return { reach: 'unknown' }
  const many = targets.some((path) => path.glob)
  return { reach: many ? 'many' : targets.length > 1 ? 'several' : 'one', count: targets.length, target: first.given }
}

const SHREDS = new Set(['shred', 'srm', 'wipe'])
/** Commands that move files to the trash. */
const BINS = new Set(['trash', 'trash-put', 'gio'])

/** `rm` and similar. Rates how much is deleted; where the targets are is rated with the paths. */
export const assessDelete: Assess = ({ part, program, paths, places }) => {
  if (program === 'rmdir') return finding('low', 'files.rmdir', 'removes an empty folder')
  if (anyFlag(part, '--no-preserve-root') || anyAbbreviation(part, '--no-preserve-root'))
    return finding('critical', 'files.delete-root', 'may delete the whole system', 'no', { reach: 'all', target: '/' })
  const targets = paths.filter((path) => path.use === 'delete')
  if (SHREDS.has(program))
    return finding('high', 'files.shred', `${program} destroys files permanently`, 'no', taken(targets))
  if (targets.length === 0)
    return finding('high', 'files.delete-unknown', `${program} deletes unknown files`, 'no', {
      reach: 'unknown',
    })
  const whole =
    program === 'rimraf' ||
    program === 'del-cli' ||
    anyFlag(part, '-r', '-R', '--recursive') ||
    anyAbbreviation(part, '--recursive')
  const folders = targets.filter((path) => path.manner !== 'file' && !isPassing(path))
  if (BINS.has(program))
    return finding('medium', 'files.trash', `${program} moves files to the trash`, 'yes', taken(targets))
  if (whole && folders.length > 0)
    return finding(
      'high',
      'files.delete-recursive',
      `${program} deletes folders with everything in them`,
      'no',
      taken(folders),
    )
  if (targets.length > 20)
    return finding('high', 'files.delete-many', `${program} deletes many files`, 'no', taken(targets))
  if (targets.every(({ created, place }) => created === true && place === 'workspace'))
    return finding('low', 'files.delete-created', `${program} deletes files that an agent’s calls created`, 'yes')
  const home = targets.some((path) => path.at !== null && isInside(places.home, path.at))
  const back = targets.every((path) => path.place === 'regenerable') ? 'yes' : 'partly'
  return finding(home ? 'critical' : 'medium', 'files.delete', `${program} deletes files`, back, taken(targets))
}

export const assessMove: Assess = ({ part, paths }) => {
  if (plainWords(part).at(-1)?.value === '/dev/null')
    return finding('critical', 'files.move-away', 'moves files to /dev/null', 'no', taken(paths))
  // A file moved inside the workspace still exists under another name.
  const inside = paths.every(({ place }) => place === 'workspace' || place === 'regenerable' || place === 'temp')
  const back = anyFlag(part, '-n', '-b', '--no-clobber', '--backup') ? 'yes' : 'partly'
  return finding(inside ? 'medium' : 'high', 'files.move', 'moves files', back)
}

export const assessCopy: Assess = ({ part, paths }) => {
  const [first] = plainWords(part)
  if (first?.value === '/dev/null') return finding('high', 'files.empty', 'empties a file', 'no', taken(paths.slice(1)))
  return finding('low', 'files.copy', 'copies files')
}

/** Low, unless the link replaces a file that holds credentials. */
export const assessLink: Assess = ({ paths }) =>
  paths.some(({ use, place }) => use === 'write' && place === 'credentials')
    ? finding('high', 'files.link', 'creates a link where credentials are kept')
    : finding('low', 'files.link', 'creates a link')

export const assessTruncate: Assess = ({ part, paths }) => {
  const size = part.args.find(
    (word, at) => /^(?:-s|--size)$/.test(part.args[at - 1]?.value ?? '') || /^(?:-s.|--size=)/.test(word.value ?? ''),
  )
  const grows = /^(?:-s|--size=)?[+>]/.test(size?.value ?? '')
  if (paths.length > 0 && paths.every(({ place }) => place === 'temp'))
    return finding('medium', 'files.truncate', 'truncates temporary files', 'no', taken(paths))
  return grows
    ? finding('medium', 'files.extend', 'extends files', 'yes')
    : finding('high', 'files.truncate', 'truncates files', 'no', taken(paths))
}

export const assessFind: Assess = ({ part, paths, places }) => {
  const wide = paths.some((path) => path.place === 'system' || (path.at !== null && isInside(places.home, path.at)))
  const start = paths[0]?.given ?? '.'
  const words = part.args.map(({ value }) => value)
  if (words.includes('-delete')) {
    if (findsRegenerable(part) && !wide)
      return finding('medium', 'files.find-delete', 'find deletes only empty or regenerable files', 'yes', {
        reach: 'many',
        target: start,
      })
    return finding(wide ? 'critical' : 'high', 'files.find-delete', 'find deletes the files it finds', 'no', {
      reach: wide ? 'all' : 'many',
      target: start,
    })
  }
  const runs = words.findIndex((word) => word !== null && /^-(?:exec|ok)(?:dir)?$/.test(word))
  const destroys =
    runs !== -1 &&
    words
      .slice(runs + 1, runs + 3)
      .some((word) => word !== null && rowList('find', 'destructive_programs').has(basename(word)))
  if (destroys && wide && !words.includes('-name') && !words.includes('-path'))
    return finding('critical', 'files.find-exec', 'find destroys everything it finds', 'no', {
      reach: 'all',
      target: start,
    })
  return finding('none', 'files.find', 'only searches for files')
}

/** Modes that let everyone write a file, or run it with its owner's rights. */
const OPENS = /^(?:[0-7]?[0-7]{2}[2367]|[0-7]?[0-7]?[0-7]?[2367]|(?:[ugoa]*[ao][ugoa]*)?[+=][rx]*w[rwxX]*)$/
const POWERS = /^(?:.{0,16}[+=][rwxX]*s[rwxX]*|[2-7][0-7]{3})$/

function isDoor(at: string | null): boolean {
  const name = basename(at ?? '')
  return rowList('chmod', 'escalating_programs').has(name) || interpreterOf(name) !== null
}

export const assessMode: Assess = ({ part, program, paths }) => {
  const recursive = anyFlag(part, '-R', '--recursive') || anyAbbreviation(part, '--recursive')
  if (recursive && paths.some(({ place }) => place === 'system'))
    return finding(
      'critical',
      'files.mode-system',
      `${program} changes permissions of the system’s folders`,
      'partly',
      taken(paths),
    )
  const modes = part.args.filter(({ value }) => value === null || !/^-(?:-|[Rcfvh]+$)/.test(value))
  const mode = modes[0]?.value ?? null
  const plain = program === 'chmod' && mode !== null && mode.length < 24
  if (plain && POWERS.test(mode)) {
    const door = paths.some(({ at }) => isDoor(at))
    return finding(
      door ? 'critical' : 'high',
      'files.mode-powers',
      'chmod lets anyone run the file with its owner’s rights',
      'yes',
      taken(paths),
    )
  }
  if (recursive) {
    // Adding rights for the owner, or removing those of others, weighs less even for a whole folder.
    const small = plain && /^(?:u\+[rwxX]+|[go]{1,2}-[rwx]+|\+[xXr]+|a\+[rX]+|[ugo]*\+[rX]+)$/.test(mode)
    return finding(
      small ? 'medium' : 'high',
      'files.mode-recursive',
      `${program} changes permissions of whole folders`,
      'partly',
      taken(paths),
    )
  }
  if (program === 'setcap') {
    const level = paths.some(({ at }) => isDoor(at)) ? 'critical' : 'high'
    return finding(level, 'files.mode-powers', 'setcap grants system privileges to a program', 'yes', taken(paths))
  }
  if (program !== 'chmod')
    return finding('medium', 'files.owner', `${program} changes the owner or access of a file`, 'yes', taken(paths))
  if (mode === null) return finding('high', 'files.mode-unknown', 'chmod sets unknown permissions', 'yes')
  if (plain && OPENS.test(mode))
    return finding('high', 'files.mode-open', 'chmod lets everyone write the files', 'yes', taken(paths))
  return finding('low', 'files.mode', 'chmod changes permissions')
}

export const assessDd: Assess = ({ part, paths }) =>
  part.args.some((word) => word.value?.startsWith('of=') === true)
    ? finding('medium', 'files.dd', 'dd writes raw data', 'partly', taken(paths.filter(({ use }) => use === 'write')))
    : finding('low', 'files.dd', 'dd reads raw data')

/** `cat /dev/null > file` empties the file. */
export const assessCat: Assess = ({ part, program, paths }: PartFacts) => {
  const nothing = part.args.length > 0 && part.args.every(({ value }) => value === '/dev/null')
  const over = part.redirections.some(({ operator }) => operator === '>' || operator === '>|')
  return nothing && over
    ? finding('high', 'files.empty', 'empties a file', 'no', taken(paths.filter(({ use }) => use === 'write')))
    : finding('none', 'plain.read', `${program} only reads or prints`)
}

export const assessPatch: Assess = ({ part, program }) =>
  isDryRun(part, '--check')
    ? finding('none', 'files.dry-run', `${program} only checks`)
    : finding('medium', 'files.patch', `${program} changes files`, 'yes')

/** The last name of a path. */
function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
