import type { Kind } from '../descriptor.ts'

/** What a patch does to one file. A move deletes the old name and writes the new one. */
export type PatchUse = 'write' | 'delete'

/** The files that a patch affects. */
export interface PatchSummary {
  /** The strongest effect on any of them. */
  readonly kind: Kind
  readonly paths: readonly string[]
  /** The effect on each. */
  readonly uses: ReadonlyMap<string, PatchUse>
}

const BEGIN = /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/m
const UNIFIED = /^--- \S.*\r?\n\+\+\+ \S/m
const GIT = /^diff --git /m

/** True for a unified diff and for the `*** Update File:` form. */
export function isPatch(text: string): boolean {
  return BEGIN.test(text) || UNIFIED.test(text) || GIT.test(text)
}

/** Every file that a patch adds, changes, deletes or moves. Content lines start with a sign or a blank and don't count. */
export function patchSummary(text: string): PatchSummary {
  const uses = new Map<string, PatchUse>()
  let moves = false
  let deletes = false
  /** The files of the last header. */
  let current: readonly string[] = []
  const put = (path: string, use: PatchUse): void => {
    // A deleted file stays deleted, whatever else the patch does to it.
    if (uses.get(path) !== 'delete') uses.set(path, use)
  }
  const take = (paths: readonly string[]): void => {
    deletes = true
    for (const path of paths) put(path, 'delete')
  }
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const marked = /^\*\*\* (Add File|Update File|Delete File|Move to|Move File to): (.+)$/.exec(line)
    if (marked !== null) {
      const path = (marked[2] ?? '').trim()
      if (marked[1] === 'Delete File') take([path])
      else put(path, 'write')
      if (marked[1]?.startsWith('Move') === true) {
        moves = true
        for (const old of current) put(old, 'delete')
      }
      current = [path]
      continue
    }
    const next = lines[index + 1] ?? ''
    if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) {
      current = [...spellings(line.slice(4)), ...spellings(next.slice(4))]
      if (/^\+\+\+ "?\/dev\/null/.test(next)) take(current)
      else for (const path of current) put(path, 'write')
      continue
    }
    const indexed = /^Index: (.+)$/.exec(line)
    if (indexed !== null) for (const path of spellings(indexed[1] ?? '')) put(path, 'write')
    const extended = /^(rename|copy) (from|to) (.+)$/.exec(line)
    if (extended !== null) {
      const takes = extended[1] === 'rename' && extended[2] === 'from'
      put(unquoted(extended[3] ?? ''), takes ? 'delete' : 'write')
      if (extended[1] === 'rename') moves = true
      continue
    }
    if (line.startsWith('diff --git ')) {
      current = gitNames(line.slice('diff --git '.length)).flatMap(spellings)
      for (const path of current) put(path, 'write')
    }
    if (line.startsWith('deleted file mode')) take(current)
  }
  return { kind: deletes ? 'delete' : moves ? 'move' : 'write', paths: [...uses.keys()], uses }
}

/** `a/src/x.ts<TAB>date` names `src/x.ts`. With `..`, the spelling as written counts too: patch programs differ. */
function spellings(header: string): readonly string[] {
  const written = unquoted(header.split('\t')[0]?.trim() ?? '')
  if (written === '/dev/null') return []
  const path = /^[abciow]\//.test(written) ? written.slice(2) : written
  return written.includes('..') ? [path, written] : [path]
}

/** The two names of a `diff --git` line, with their quotes. Names with blanks are split into equal halves. */
function gitNames(both: string): readonly string[] {
  const quoted = /^("(?:[^"\\]|\\.)*") (.+)$/.exec(both) ?? /^(\S+) ("(?:[^"\\]|\\.)*")$/.exec(both)
  if (quoted !== null) return [quoted[1] ?? '', quoted[2] ?? '']
  const words = both.split(' ')
  if (words.length === 2) return words
  const middle = (both.length - 1) / 2
  return [both.slice(0, middle), both.slice(middle + 1)]
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** A name without git's quotes: `"a/\303\251"` is `a/é`. Other text stays as written. */
function unquoted(name: string): string {
  if (name.length < 2 || !name.startsWith('"') || !name.endsWith('"')) return name
  const inside = name.slice(1, -1)
  if (!inside.includes('\\')) return inside
  let encoded = ''
  for (const [piece, octal, letter] of inside.matchAll(/\\([0-3][0-7]{2})|\\([\s\S])|[^\\]+/g)) {
    if (octal !== undefined) encoded += percent(Number.parseInt(octal, 8))
    else if (letter !== undefined) encoded += percent(LETTERS[letter] ?? letter.charCodeAt(0))
    else encoded += encodeURIComponent(piece)
  }
  try {
    return decodeURIComponent(encoded)
  } catch {
    return inside
  }
}

function percent(byte: number): string {
  return byte > 0xff ? encodeURIComponent(String.fromCharCode(byte)) : `%${byte.toString(16).padStart(2, '0')}`
}
