/** A file that a patch changes: every name that it could be found by. */
export interface PatchedFile {
  readonly names: readonly string[]
  readonly isNew: boolean
}

const NAME = /^(---|\+\+\+) ([\w@+=,./-]+)(?:\t20\d\d-[\d :.+-]*)?$/
const GIT = /^diff --git ([\w@+=,./-]+) ([\w@+=,./-]+)$/
const BETWEEN = /^(?:index [0-9a-f]{4,64}\.\.[0-9a-f]{4,64}(?: 100(?:644|755))?|new file mode 100(?:644|755))$/
const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/
const NOTHING = '/dev/null'
const MAX_FILES = 64

/**
 * The files that a unified diff changes; null if it has anything else in it: text around it, renames, deletions, modes of
 * links, binary data, or scripts, which `patch` would give to an editor. Dates are those of files that exist.
 */
export function patchedFiles(text: string): readonly PatchedFile[] | null {
  const lines = text.split('\n')
  if (lines.pop() !== '') return null
  const files: PatchedFile[] = []
  for (let at = 0; at < lines.length; ) {
    const names: string[] = []
    const git = GIT.exec(lines[at] ?? '')
    if (git !== null) {
      names.push(git[1] ?? '', git[2] ?? '')
      for (at++; BETWEEN.test(lines[at] ?? ''); ) at++
    }
    const before = NAME.exec(lines[at] ?? '')
    const after = NAME.exec(lines[at + 1] ?? '')
    if (before?.[1] !== '---' || after?.[1] !== '+++' || after[2] === NOTHING) return null
    const isNew = before[2] === NOTHING
    names.push(after[2] ?? '', ...(isNew ? [] : [before[2] ?? '']))
    const end = hunksEnd(lines, at + 2)
    if (end === null || files.length === MAX_FILES) return null
    files.push({ names: [...new Set(names)], isNew })
    at = end
  }
  return files.length === 0 ? null : files
}

/** The line behind the hunks of one file; null if they are not complete. */
function hunksEnd(lines: readonly string[], start: number): number | null {
  let at = start
  while (lines[at]?.startsWith('@@') === true) {
    const hunk = HUNK.exec(lines[at] ?? '')
    if (hunk === null) return null
    let old = Number(hunk[1] ?? 1)
    let now = Number(hunk[2] ?? 1)
    for (at++; old > 0 || now > 0; at++) {
      const sign = lines[at]?.[0]
      if (sign === '\\') continue
      if (sign !== ' ' && sign !== '-' && sign !== '+') return null
      if (sign !== '+') old--
      if (sign !== '-') now--
      if (old < 0 || now < 0) return null
    }
    if (lines[at]?.startsWith('\\ ') === true) at++
  }
  return at === start ? null : at
}

/** A name without its first folders, as `patch -p` takes them away; null if nothing plain is left. */
export function strippedName(name: string, count: number): string | null {
  const names = name.split(/\/+/)
  const left = names.slice(count)
  if (left.length === 0 || left.some((one) => one === '' || one === '.' || one === '..')) return null
  return left.join('/')
}
