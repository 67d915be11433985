import type { Kind } from './descriptor.ts'

/** What a patch touches, read from its text. */
export interface PatchSummary {
  readonly kind: Kind
  readonly paths: readonly string[]
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
  const paths = new Set<string>()
  let kind: Kind = 'write'
  const deletes = (): void => {
    kind = 'delete'
  }
  const moves = (): void => {
    if (kind === 'write') kind = 'move'
  }
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) {
    const marked = /^\*\*\* (Add File|Update File|Delete File|Move to|Move File to): (.+)$/.exec(line)
    if (marked !== null) {
      paths.add((marked[2] ?? '').trim())
      if (marked[1] === 'Delete File') deletes()
      if (marked[1]?.startsWith('Move')) moves()
      continue
    }
    const next = lines[index + 1] ?? ''
    if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(next)) {
      if (/^\+\+\+ "?\/dev\/null/.test(next)) deletes()
      for (const path of [...spellings(line.slice(4)), ...spellings(next.slice(4))]) paths.add(path)
      continue
    }
    const indexed = /^Index: (.+)$/.exec(line)
    if (indexed !== null) for (const path of spellings(indexed[1] ?? '')) paths.add(path)
    const extended = /^(rename|copy) (from|to) (.+)$/.exec(line)
    if (extended !== null) {
      paths.add(unquoted(extended[3] ?? ''))
      if (extended[1] === 'rename') moves()
      continue
    }
    if (line.startsWith('diff --git ')) for (const path of gitPaths(line)) paths.add(path)
    if (line.startsWith('deleted file mode')) deletes()
  }
  return { kind, paths: [...paths] }
}

/** `a/src/x.ts<TAB>date` names `src/x.ts`. With `..` in it the spelling as written counts too: patch programs differ. */
function spellings(header: string): readonly string[] {
  const written = unquoted(header.split('\t')[0]?.trim() ?? '')
  if (written === '/dev/null') return []
  const path = /^[abciow]\//.test(written) ? written.slice(2) : written
  return written.includes('..') ? [path, written] : [path]
}

/** Names with blanks are told apart by their halves being equal. */
function gitPaths(line: string): readonly string[] {
  const both = line.slice('diff --git '.length)
  const words = both.split(' ')
  const middle = (both.length - 1) / 2
  const [from, to] = words.length === 2 ? words : [both.slice(0, middle), both.slice(middle + 1)]
  return [...spellings(from ?? ''), ...spellings(to ?? '')]
}

function unquoted(path: string): string {
  return path.length > 1 && path.startsWith('"') && path.endsWith('"') ? path.slice(1, -1) : path
}
