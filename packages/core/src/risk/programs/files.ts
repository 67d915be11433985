import { type Assess, anyAbbreviation, anyFlag, anyPrefix, anyWord, isDryRun } from '../facts.ts'
import { finding } from '../finding.ts'
import { isInside } from '../place.ts'
import { plainWords } from '../spelled-path.ts'

/** `rm` and its like. Where the targets lie is rated with the paths; here how much goes at once. */
export const assessDelete: Assess = ({ part, program, paths, places }) => {
  if (program === 'rmdir') return finding('low', 'files.rmdir', 'removes an empty folder')
  if (anyFlag(part, '--no-preserve-root'))
    return finding('critical', 'files.delete-root', 'may delete the whole system')
  if (program === 'shred' || program === 'srm' || program === 'wipe')
    return finding('high', 'files.shred', `${program} destroys files for good`, 'no')
  const targets = paths.filter((path) => path.use === 'delete')
  if (targets.length === 0)
    return finding('high', 'files.delete-unknown', `${program} deletes files that are not known`, 'no')
  const recursive = program !== 'unlink' && anyFlag(part, '-r', '-R', '--recursive')
  const passing = targets.every((path) => path.place === 'regenerable' || path.place === 'temp')
  if (recursive && !passing)
    return finding('high', 'files.delete-recursive', `${program} deletes folders with all that is in them`, 'no')
  if (targets.length > 20) return finding('high', 'files.delete-many', `${program} deletes many files`, 'no')
  const home = targets.some((path) => path.at !== null && isInside(places.home, path.at))
  return finding(home ? 'critical' : 'medium', 'files.delete', `${program} deletes files`)
}

export const assessMove: Assess = ({ part, paths }) => {
  if (plainWords(part).at(-1)?.value === '/dev/null')
    return finding('critical', 'files.move-away', 'moves files into nothing')
  // What is moved away within the workspace is still there under another name.
  const inside = paths.every(
    (path) => path.place === 'workspace' || path.place === 'regenerable' || path.place === 'temp',
  )
  return finding(inside && !paths.some((path) => path.glob) ? 'medium' : 'high', 'files.move', 'moves files')
}

export const assessCopy: Assess = ({ part }) => {
  if (plainWords(part)[0]?.value === '/dev/null') return finding('high', 'files.empty', 'empties a file', 'no')
  return finding('low', 'files.copy', 'copies files')
}

export const assessTruncate: Assess = () => finding('high', 'files.truncate', 'cuts files short', 'no')

export const assessFind: Assess = ({ part, paths, places }) => {
  if (anyWord(part, new Set(['-delete']))) {
    const wide = paths.some((path) => path.place === 'system' || (path.at !== null && isInside(places.home, path.at)))
    return finding(wide ? 'critical' : 'high', 'files.find-delete', 'find deletes what it finds', 'no')
  }
  return finding('none', 'files.find', 'only looks for files')
}

export const assessMode: Assess = ({ part, program }) => {
  const mode = plainWords(part)[0]
  if (anyFlag(part, '-R', '--recursive'))
    return finding('high', 'files.mode-recursive', `${program} changes permissions of whole folders`)
  if (program !== 'chmod') return finding('medium', 'files.owner', `${program} changes who owns a file`)
  if (mode === undefined || mode.value === null)
    return finding('high', 'files.mode-unknown', 'chmod sets permissions that are not known')
  if (
    /^(?:[0-7]?[0-7]{2}[2367]|.*[ao]\+[rx]*w|\+[rx]*w|.*\+[rwx]*s|[24-7][0-7]{3})$/.test(mode.value) &&
    mode.value.length < 32
  )
    return finding('high', 'files.mode-open', 'chmod opens files to everybody or hands out powers')
  return finding('low', 'files.mode', 'chmod changes permissions')
}

export const assessDd: Assess = ({ part }) =>
  part.args.some((word) => word.value?.startsWith('of=') === true)
    ? finding('medium', 'files.dd', 'dd writes raw data')
    : finding('low', 'files.dd', 'dd reads raw data')

const ARCHIVE_POWERS = [
  '--remove-files',
  '--checkpoint-action',
  '--to-command',
  '--use-compress-program',
  '--absolute-names',
  '--info-script',
  '--new-volume-script',
  '--rmt-command',
  '--rsh-command',
  '--unzip-command',
]
const TARS = new Set(['tar', 'bsdtar', 'gtar'])

/** Archives: making one is medium, unpacking writes where paths say, removing inputs or escaping the folder is high. */
export const assessArchive: Assess = ({ part, program }) => {
  const first = part.args[0]?.value ?? ''
  if (
    anyFlag(part, '-I', '-P', ...ARCHIVE_POWERS) ||
    anyAbbreviation(part, ...ARCHIVE_POWERS) ||
    (TARS.has(program) && (anyFlag(part, '-F') || /^[a-zA-Z]*[FIP]/.test(first))) ||
    (program === 'zip' && part.args.some(({ value }) => /^-[a-zA-Z]*TT/.test(value ?? '')))
  ) {
    return finding('high', 'files.archive-powers', `${program} removes its inputs, leaves its folder or runs a program`)
  }
  if (program === 'zip' && anyFlag(part, '-m', '--move'))
    return finding('high', 'files.archive-move', 'zip deletes what it packs', 'no')
  const lists =
    (program === 'tar' &&
      /^(?:-?[a-z]*t|--list)/.test(part.args[0]?.value ?? '') &&
      !/[xc]/.test(part.args[0]?.value ?? '')) ||
    (program === 'unzip' && anyFlag(part, '-l', '-t', '-Z'))
  return lists
    ? finding('none', 'files.archive-list', `${program} only lists`)
    : finding('medium', 'files.archive', `${program} packs or unpacks files`)
}

const SED_RUNS = /(?:^|[;{}\n]|\d|\$|\/)\s*[ew](?:\s|$)|\/[gpiIm0-9]*[ew][gpiIm0-9]*(?:\s|$|;)/

export const assessSed: Assess = ({ part }) => {
  const script = part.args.find(
    (word, at) => part.args[at - 1]?.value === '-e' || (word.value !== null && !word.value.startsWith('-')),
  )
  if (script?.value === null || anyFlag(part, '-f', '--file'))
    return finding('medium', 'files.sed-unknown', 'sed runs a script that is not shown')
  if (script?.value !== undefined && (script.value.length > 2000 || SED_RUNS.test(script.value)))
    return finding('high', 'files.sed-powers', 'sed runs commands or writes other files')
  return part.args.some((word) => /^(?:-[nErsuz]{0,6}i|--in-place)/.test(word.value ?? ''))
    ? finding('medium', 'files.sed', 'sed rewrites files in place')
    : finding('none', 'files.sed', 'sed only prints')
}

export const assessAwk: Assess = ({ part }) => {
  const script = part.args.find((word) => word.value === null || !word.value.startsWith('-'))?.value
  if (script === null || anyFlag(part, '-f', '--file'))
    return finding('medium', 'files.awk-unknown', 'awk runs a script that is not shown')
  if (script !== undefined && (script.length > 2000 || /system\s*\(|\||>\s*["(/]|getline|@load/.test(script)))
    return finding('high', 'files.awk-powers', 'awk runs commands or writes files')
  return anyPrefix(part, '-i')
    ? finding('medium', 'files.awk', 'awk rewrites files in place')
    : finding('none', 'files.awk', 'awk only prints')
}

/** Filters that are read-only but for a few flags. */
export const filterUnless =
  (...flags: readonly string[]): Assess =>
  ({ part, program }) =>
    anyFlag(part, ...flags) || anyAbbreviation(part, ...flags)
      ? finding('high', 'files.filter-powers', `${program} is told to run a program or write a file`)
      : finding('none', 'files.filter', `${program} only reads`)

export const assessPatch: Assess = ({ part, program }) =>
  isDryRun(part, '--check')
    ? finding('none', 'files.dry-run', `${program} only checks`)
    : finding('medium', 'files.patch', `${program} changes files`)
