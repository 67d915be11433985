import type { CommandPart } from '../../command/model/decomposition.ts'
import type { Places } from './category.ts'
import { folderOf } from './paths-to-resolve.ts'
import { reduceProcessPath } from './process-path.ts'

/** The names of a path as patterns. */
export interface PathPattern {
  readonly names: readonly string[]
  /** False if the folder before the first name is unknown. */
  readonly anchored: boolean
}

/** INVARIANT: L10, a longer word is not a path pattern. */
const LONGEST = 1024

const ESCAPES = /[*?[\]\\]/g

/** A word of a command as a path pattern: unknown parts match anything, literal text matches itself. Null if it is no path. */
export function wordPattern(
  word: { readonly text: string; readonly value: string | null; readonly glob: boolean },
  folder: Pick<CommandPart, 'cwd' | 'cwdLike'>,
  callCwd: string,
  places: Places,
): PathPattern | null {
  const { value, text, glob } = word
  const literal = value === null ? templateOf(text) : glob ? value : value.replace(ESCAPES, '\\$&')
  if (literal === null || literal.length > LONGEST) return null
  const cwd = folder.cwd ?? folder.cwdLike ?? null
  const flat = literal.replace(EXTENDED, '*')
  if (value !== null) return anchor(flat, cwd, callCwd, places)
  const given = flat.slice(flat.indexOf('=') + 1)
  // `$X/name`: the variable may name any folder.
  return /^\*+\//.test(given)
    ? { names: namesOf(given).slice(1), anchored: false }
    : anchor(given, cwd, callCwd, places)
}

/** `@(ssh|aws)`: taken for any text. */
const EXTENDED = /[@!+?*]\([^()/]*\)/g

function anchor(pattern: string, cwd: string | null, callCwd: string, { home }: Places): PathPattern {
  if (/^~(?=\/|$)/.test(pattern)) return { names: namesOf(home + pattern.slice(1)), anchored: true }
  if (pattern.startsWith('/')) {
    const folder = cwd === null ? null : folderOf(cwd, callCwd, home)
    return { names: namesOf(reduceProcessPath(pattern, folder)), anchored: true }
  }
  if (cwd === null) return { names: namesOf(pattern), anchored: false }
  return { names: namesOf(`${folderOf(cwd, callCwd, home)}/${pattern}`), anchored: true }
}

function namesOf(path: string): string[] {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

const SPECIAL = /^\$(?:\{(?:HOME|PWD)\}|(?:HOME|PWD)(?!\w))/
const UNKNOWN = /^(?:\$\{[^{}]*\}|\$[A-Za-z_]\w*|\$[\d@*#?$!-]|\$\([^()]*\)|`[^`]*`)/

/** The text of a word with `*` for what only the shell knows; null if the text cannot be split. */
function templateOf(text: string): string | null {
  let pattern = ''
  for (let at = 0; at < text.length && pattern.length <= LONGEST; ) {
    const rest = text.slice(at, at + LONGEST)
    const place = SPECIAL.exec(rest)?.[0]
    const unknown = UNKNOWN.exec(rest)?.[0]
    const char = text[at] ?? ''
    if (place !== undefined) {
      pattern += place.includes('HOME') ? '~' : '.'
      at += place.length
    } else if (unknown !== undefined) {
      pattern += '*'
      at += unknown.length
    } else if (char === '$' || char === '`') return null
    else {
      if (char === '\\') pattern += text[++at] ?? ''
      else if (char !== '"' && char !== "'") pattern += char
      at++
    }
  }
  return pattern
}
