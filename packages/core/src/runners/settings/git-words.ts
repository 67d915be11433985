import type { CommandWord } from '../../command/model/decomposition.ts'
import { GIT_SETTINGS } from '../../knowledge/compiled/runners.ts'
import type { GitGivenRow, GitUseRow } from '../../knowledge/runners.ts'

/**
 * Options before the verb that change nothing about which programs run. Not `--bare`, which takes the folder itself for the
 * repository, nor `--no-replace-objects`, with which commits hold other files.
 */
const FLAGS =
  /^(?:-p|--paginate|-P|--no-pager|--literal-pathspecs|--no-optional-locks|--no-lazy-fetch|--version|-v|--help|-h|--(?:exec|html|man|info)-path)$/

/** The words of a git command. */
export interface GitWords {
  /** The folder that git starts in. */
  readonly folder: string
  /** What `--git-dir` names. */
  readonly repository: string | null
  readonly verb: string
  readonly rest: readonly CommandWord[]
}

/** Reads the words before the verb; null if one of them is not known, or a setting that is more than display. */
export function readGitWords(args: readonly CommandWord[], start: string): GitWords | null {
  let folder = start
  let repository: string | null = null
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || args[at]?.glob === true) return null
    if (!value.startsWith('-')) return { folder, repository, verb: value, rest: args.slice(at + 1) }
    const dir = /^--git-dir(?:=(.*))?$/s.exec(value)
    if (value === '-C') {
      const to = args[++at]?.value ?? null
      if (to === null) return null
      folder = to.startsWith('/') ? to : `${folder}/${to}`
    } else if (dir !== null) {
      repository = dir[1] ?? args[++at]?.value ?? null
      if (repository === null) return null
    } else if (value === '-c') {
      if (!isHarmlessSetting(args[++at])) return null
    } else if (!FLAGS.test(value)) return null
  }
  return { folder, repository, verb: '', rest: [] }
}

/** Whether `-c` gives a setting that only changes what is printed. */
export function isHarmlessSetting(word: CommandWord | undefined): boolean {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(word?.value ?? '') ?? []
  if (name === undefined || value === undefined || word?.glob === true) return false
  const key = name.toLowerCase()
  return isDisplay(key) || isGiven(key, value)
}

/** Whether a variable changes neither what git runs nor which repository it uses. */
export function isHarmlessVariable({ name, value }: { readonly name: string; readonly value: string | null }): boolean {
  return value !== null && isGiven(name, value)
}

/** A setting of a repository that runs nothing. `name` is in lower case, apart from a subsection. */
export function isHarmlessName(name: string): boolean {
  return GIT_SETTINGS.harmless.has(plainName(name)) || isDisplay(name)
}

/** A setting without the name of its subsection: `filter.*.clean`. */
export function plainName(name: string): string {
  return name.replace(/^([\w-]+)\..*\.([\w-]+)$/s, '$1.*.$2')
}

/** A setting that changes what is printed, or a name. */
function isDisplay(key: string): boolean {
  const { display } = GIT_SETTINGS
  return display.has(key) || (/^[a-z]+\.[a-z.]+$/.test(key) && display.has(`${key.slice(0, key.indexOf('.'))}.*`))
}

function isGiven(name: string, value: string): boolean {
  const rows: readonly GitGivenRow[] = GIT_SETTINGS.given
  const row = rows.find(({ names }) => names.includes(name))
  return row !== undefined && (row.values === undefined || row.values.includes(value))
}

/** A use of a verb that is known word by word. */
export interface GitUse extends Pick<GitUseRow, 'words' | 'stages' | 'states'> {
  /** The options, in full or as letters. */
  readonly options: ReadonlySet<string>
  readonly named: readonly string[]
  /** How many of them come before `--`; null without it. */
  readonly before: number | null
}

/** Finds the use of a verb that lists every option of the command; null if there is none. */
export function findUse({ verb, rest }: GitWords): GitUse | null {
  const rows: readonly GitUseRow[] = GIT_SETTINGS.uses
  for (const row of rows) {
    const isGroup = row.verbs.includes(`${verb} ${rest[0]?.value ?? ''}`)
    if (!isGroup && !row.verbs.includes(verb)) continue
    const use = readUse(row, isGroup ? rest.slice(1) : rest)
    if (use !== null && isKnown(use)) return use
  }
  return null
}

function readUse(row: GitUseRow, words: readonly CommandWord[]): GitUse | null {
  const options = new Set<string>()
  const named: string[] = []
  let before: number | null = null
  for (let at = 0; at < words.length; at++) {
    const value = words[at]?.value ?? null
    if (value === null || words[at]?.glob === true) return null
    if (before !== null || !value.startsWith('-') || value === '-') named.push(value)
    else if (value === '--') before = named.length
    else {
      const takes = value.startsWith('--') ? readLong(row, value, options) : readLetters(row, value, options)
      if (takes === null) return null
      if (takes && words[++at]?.value == null) return null
    }
  }
  if (row.needs !== undefined && !row.needs.some((name) => options.has(name))) return null
  const { words: kind, stages, states } = row
  return {
    words: kind,
    ...(stages === undefined ? {} : { stages }),
    ...(states === undefined ? {} : { states }),
    options,
    named,
    before,
  }
}

/** Whether the words are what the use takes. */
function isKnown({ words, named, before }: GitUse): boolean {
  const [first = ''] = named
  switch (words) {
    case 'any':
      return true
    case 'none':
      return named.length === 0
    case 'here':
      return named.length === 1 && first === '.'
    case 'key':
      return named.length === 1 && isHarmlessName(first.toLowerCase())
    case 'revision':
      return named.length === 1 && before === null && REVISION.test(first)
    case 'files':
      return named.length > 0 && before === null && named.every(isPlainPath)
    case 'dashed':
      if (before === null || before > 1 || named.length === before) return false
      return (before === 0 || REVISION.test(first)) && named.slice(before).every(isPlainPath)
    case 'paths':
    case 'moves':
      return named.every(isPlainPath)
  }
}

/** The name of a branch or a tag, a hash, or a commit before the current one. */
const REVISION = /^(?:HEAD(?:[~^]\d{0,3}){0,8}|(?!-)[\w.-]+(?:\/[\w.-]+)*)$/

/** Neither a pattern nor one of the long forms of git, such as `:(glob)`. */
function isPlainPath(path: string): boolean {
  return path !== '' && !path.startsWith(':') && !/[*?[\\\n]/.test(path)
}

/** Reads `--message=x` or `--all`; true if the next word is its value, null if it is not listed. */
function readLong({ flags, values }: GitUseRow, text: string, options: Set<string>): boolean | null {
  const equals = text.indexOf('=')
  const name = equals === -1 ? text : text.slice(0, equals)
  options.add(name)
  if (values?.includes(name) === true) return equals === -1
  return flags?.includes(name) === true && equals === -1 ? false : null
}

/** Reads letters such as `-qm`; true if the next word is the value of the last one, null if one is not listed. */
function readLetters({ flags, values }: GitUseRow, text: string, options: Set<string>): boolean | null {
  if (/^-\d+$/.test(text)) return flags?.includes('-#') === true ? false : null
  for (let at = 1; at < text.length; at++) {
    const name = `-${text[at]}`
    options.add(name)
    if (values?.includes(name) === true) return at === text.length - 1
    if (flags?.includes(name) !== true) return null
  }
  return false
}
