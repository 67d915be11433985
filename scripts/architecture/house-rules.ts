import { isTest, type Offence, offencesOf, type SourceFile } from './offence.ts'

const MAX_LINES = 300
const MAX_FILES = 25
const VAGUE = /(^|[/.-])(utils?|helpers?|managers?|common|misc)([/.-]|$)/

/** The conventions that can be checked automatically. */
export function checkHouseRules(files: readonly SourceFile[], root: string): Offence[] {
  const offences = files.flatMap((file) => [
    ...(isCode(file) ? checkCode(file) : []),
    ...checkPlaces(file, root),
    ...(file.path === 'package-lock.json' ? checkLock(file) : []),
  ])
  return [...offences, ...checkFolders(files)]
}

/** A folder with too many source files should be split into rooms. */
function checkFolders(files: readonly SourceFile[]): Offence[] {
  const counts = new Map<string, number>()
  for (const { path } of files) {
    if (!/^packages\/[^/]+\/src\/.*\.tsx?$/.test(path) || isTest(path)) continue
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(([path, count]) => ({
      path,
      line: 1,
      message: `${count} source files; split folders of more than ${MAX_FILES} files into rooms`,
    }))
}

function checkCode(file: SourceFile): Offence[] {
  const { path, text } = file
  const offences = [
    ...offencesOf(file, /\bas any\b/g, 'a cast to `any`'),
    ...offencesOf(file, /\b(describe|it|test)\.(only|skip|todo)\b/g, 'a skipped or focused test; remove the modifier'),
    ...offencesOf(file, /(\/\/|^\s*\/?\*).*\b(TO[D]O|FIX[M]E)\b/gm, 'a to-do comment; do it or open an issue'),
  ]
  if (VAGUE.test(path)) offences.push({ path, line: 1, message: 'a vague name; name the concept' })
  const lines = text.split('\n').length - 1
  if (lines > MAX_LINES && !isTest(path))
    offences.push({ path, line: MAX_LINES, message: `${lines} lines; split files of more than ${MAX_LINES} lines` })
  if (path.startsWith('packages/core/src/') && !isTest(path))
    offences.push(
      ...offencesOf(
        file,
        /\b(Date\.now|Math\.random|new Date)\(\)/g,
        'core may not read the clock or random numbers; use a port',
      ),
    )
  return offences
}

/** Paths of one machine. `/home/you` is a placeholder; tests and documents may invent other homes, but not name the folder of this checkout. */
function checkPlaces(file: SourceFile, root: string): Offence[] {
  const message = 'a path of a specific machine'
  const literal = root.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const own = root.split('/').length > 2 ? offencesOf(file, new RegExp(`${literal}(?![\\w-])`, 'g'), message) : []
  const invented = isTest(file.path) || file.path.endsWith('.md')
  return invented ? own : [...own, ...offencesOf(file, /(?<![\w.*~}])\/(home|Users|root)\/(?!you\b)[\w.-]/g, message)]
}

function checkLock(file: SourceFile): Offence[] {
  return [
    ...offencesOf(file, /"resolved": "[a-z+]+:\/\//g, 'a registry URL; install with `omit-lockfile-registry-resolved`'),
    ...offencesOf(file, /"hasInstallScript": true/g, 'a dependency with an install script'),
  ]
}

function isCode(file: SourceFile): boolean {
  return /\.(ts|tsx|js|mjs)$/.test(file.path)
}
