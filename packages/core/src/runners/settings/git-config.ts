import type { Origin } from '../../command/model/decomposition.ts'
import type { ProjectFile, Reading } from '../reading/project-reader.ts'
import { placeIn } from '../reading/runner.ts'

/** One setting of a repository. Section and key are in lower case; a subsection is as written. */
export interface GitSetting {
  /** `core.pager`, `filter.lfs.clean` */
  readonly name: string
  readonly value: string
  readonly origin: Origin
}

const MAX_INCLUDES = 8

/** Reads a file that settings include, from the folder of the file that names it. */
type ReadIncluded = (path: string, folder: string) => Promise<Reading>

/** The settings of a config file and of the files it includes. */
export async function readGitConfig(
  first: ProjectFile,
  read: ReadIncluded,
): Promise<{ readonly settings: readonly GitSetting[]; readonly opaque: readonly string[] }> {
  const settings: GitSetting[] = []
  const opaque: string[] = []
  const waiting = [first]
  for (let count = 0; waiting.length > 0; count++) {
    const file = waiting.shift()
    if (file === undefined) break
    const { settings: own, isWhole } = parseGitConfig(file)
    settings.push(...own)
    if (!isWhole) opaque.push(`\`${file.shown}\` can’t be parsed`)
    for (const { name, value } of own) {
      if (!/^include(?:if\..*)?\.path$/s.test(name)) continue
      const reading = count < MAX_INCLUDES ? await read(value, file.real.slice(0, file.real.lastIndexOf('/'))) : null
      if (reading?.kind === 'file') waiting.push(reading)
      else if (reading?.kind !== 'absent') opaque.push(`\`${file.shown}\` includes settings that can’t be read`)
    }
  }
  return { settings, opaque }
}

/**
 * Reads a config file sign by sign, as git does. SECURITY: A28 what a reader by lines misses, git obeys: two sections in one
 * line, or a setting below a comment that ends in a backslash.
 */
function parseGitConfig(file: ProjectFile): { readonly settings: readonly GitSetting[]; readonly isWhole: boolean } {
  const signs = new Signs(file.text)
  const settings: GitSetting[] = []
  let section = ''
  for (let sign = signs.next(); ; sign = signs.next()) {
    if (sign === '\n') {
      if (signs.isAtEnd) return { settings, isWhole: true }
    } else if (sign === '#' || sign === ';') signs.skipLine()
    else if (sign === '[') {
      const found = readSection(signs)
      if (found === null) return { settings, isWhole: false }
      section = found
    } else if (/[A-Za-z]/.test(sign)) {
      const { line } = signs
      const entry = section === '' ? null : readEntry(sign, signs)
      if (entry === null) return { settings, isWhole: false }
      settings.push({ name: `${section}.${entry.key}`, value: entry.value, origin: placeIn(file, line) })
    } else if (!isSpace(sign)) return { settings, isWhole: false }
  }
}

/** The signs of a text. The end counts as the end of a line, and so does a carriage return before one. */
class Signs {
  readonly #text: string
  #at: number
  line = 1

  constructor(text: string) {
    this.#text = text
    this.#at = text.startsWith('\uFEFF') ? 1 : 0
  }

  get isAtEnd(): boolean {
    return this.#at > this.#text.length
  }

  next(): string {
    if (this.#text[this.#at] === '\r' && this.#text[this.#at + 1] === '\n') this.#at++
    const sign = this.#text[this.#at++] ?? '\n'
    if (sign === '\n') this.line++
    return sign
  }

  /** Goes to the end of the line, without passing it. */
  skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end === -1 ? this.#text.length : end
  }
}

function isSpace(sign: string): boolean {
  return /[ \t\r\v\f]/.test(sign)
}

/** The section after its bracket: `core`, or `filter.lfs` for `[filter "lfs"]`. */
function readSection(signs: Signs): string | null {
  let name = ''
  let sign = signs.next()
  for (; sign !== ']'; sign = signs.next()) {
    if (isSpace(sign)) break
    if (!/[\w.-]/.test(sign) || sign === '_') return null
    name += sign.toLowerCase()
  }
  if (sign === ']') return name === '' ? null : name
  while (isSpace(sign)) sign = signs.next()
  if (sign !== '"') return null
  name += '.'
  for (sign = signs.next(); sign !== '"'; sign = signs.next()) {
    if (sign === '\\') sign = signs.next()
    if (sign === '\n') return null
    name += sign
  }
  return signs.next() === ']' ? name : null
}

function readEntry(first: string, signs: Signs): { readonly key: string; readonly value: string } | null {
  let key = first.toLowerCase()
  let sign = signs.next()
  for (; /[A-Za-z0-9-]/.test(sign); sign = signs.next()) key += sign.toLowerCase()
  while (sign === ' ' || sign === '\t') sign = signs.next()
  if (sign === '\n') return { key, value: 'true' }
  const value = sign === '=' ? readValue(signs) : null
  return value === null ? null : { key, value }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', ''],
  ['t', '\t'],
  ['b', '\b'],
  ['n', '\n'],
  ['\\', '\\'],
  ['"', '"'],
])

/** A value without quotes, escapes and comments; null if git refuses it. */
function readValue(signs: Signs): string | null {
  let value = ''
  let spaces = ''
  let isQuoted = false
  for (let sign = signs.next(); ; sign = signs.next()) {
    if (sign === '\n') return isQuoted ? null : value
    if (!isQuoted && isSpace(sign)) {
      if (value !== '') spaces += sign
      continue
    }
    if (!isQuoted && (sign === '#' || sign === ';')) {
      signs.skipLine()
      continue
    }
    value += spaces
    spaces = ''
    if (sign === '"') isQuoted = !isQuoted
    else if (sign === '\\') {
      const escaped = ESCAPES.get(signs.next())
      if (escaped === undefined) return null
      value += escaped
    } else value += sign
  }
}
