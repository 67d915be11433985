import type { Kind } from '../descriptor.ts'
import { gitNames, unquoted } from './patch-file-names.ts'

/** What becomes of one file of a patch: a move takes the old name away and writes the new one. */
export type PatchUse = 'write' | 'delete'

/** What a patch touches, read from its text. */
export interface PatchSummary {
  /** The worst it does to any of them. */
  readonly kind: Kind
  readonly paths: readonly string[]
  /** What it does to each. */
  readonly uses: ReadonlyMap<string, PatchUse>
}

const BEGIN = /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/m
const UNIFIED = /^--- \S.*\r?\n\+\+\+ \S/m
const GIT = /^diff --git /m

/** True for a unified diff and for the `*** Update File:` form. */
export function isPatch(text: string): boolean {
  return BEGIN.test(text) || UNIFIED.test(text) || GIT.test(text)
}

/** Every file a patch would add, change, delete or move. Lines of content never count: they begin with a sign or a blank. */
export function patchSummary(text: string): PatchSummary {
  const uses = new Map<string, PatchUse>()
  let moves = false
  let deletes = false
  /** The files of the header that was read last. */
  let current: readonly string[] = []
  const put = (path: string, use: PatchUse): void => {
    // What is taken away once is gone, whatever else is said of it.
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

/** `a/src/x.ts<TAB>date` names `src/x.ts`. With `..` in it the spelling as written counts too: patch programs differ. */
function spellings(header: string): readonly string[] {
  const written = unquoted(header.split('\t')[0]?.trim() ?? '')
  if (written === '/dev/null') return []
  const path = /^[abciow]\//.test(written) ? written.slice(2) : written
  return written.includes('..') ? [path, written] : [path]
}
