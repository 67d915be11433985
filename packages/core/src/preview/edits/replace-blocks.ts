import { findSequence } from './sequence-search.ts'

/** One replacement of whole lines, as the patch dialects of agents write them. */
export interface ReplaceBlock {
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** A line that must come before, from `@@ class Foo`. */
  readonly anchor?: string
}

/** The `*** Begin Patch` dialect. */
export function isMarked(patch: string): boolean {
  return /^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/m.test(patch)
}

/** The blocks of a `*** Update File:` patch for one file; undefined when it does anything else. */
export function markedBlocks(patch: string): readonly ReplaceBlock[] | undefined {
  const blocks: { before: string[]; after: string[]; anchor?: string }[] = []
  let files = 0
  for (const line of patch.split('\n')) {
    if (line.startsWith('*** End Patch')) break
    if (line.startsWith('*** Begin Patch') || line.startsWith('*** End of File')) continue
    if (line.startsWith('*** Update File: ')) {
      files++
      blocks.push({ before: [], after: [] })
    } else if (line.startsWith('*** ')) return undefined
    else if (line.startsWith('@@')) {
      const anchor = line.slice(2).trim()
      blocks.push({ before: [], after: [], ...(anchor === '' ? {} : { anchor }) })
    } else {
      const text = line.slice(1)
      if (!line.startsWith('+')) blocks.at(-1)?.before.push(text)
      if (!line.startsWith('-')) blocks.at(-1)?.after.push(text)
    }
  }
  const full = blocks.filter((block) => block.before.length + block.after.length > 0)
  return files === 1 ? workable(full) : undefined
}

/** Where a block without old lines goes differs from tool to tool: that is no picture we can draw. */
function workable(blocks: readonly ReplaceBlock[]): readonly ReplaceBlock[] | undefined {
  return blocks.length > 0 && blocks.every((block) => block.before.length > 0) ? blocks : undefined
}

/** The text of a `*** Add File:` patch with one file; undefined when it does anything else. */
export function markedNewFile(patch: string): string | undefined {
  const lines = patch.split('\n')
  const heads = lines.filter((line) => /^\*\*\* (?:Add|Update|Delete) File: /.test(line))
  if (heads.length !== 1 || heads[0]?.startsWith('*** Add File: ') !== true) return undefined
  return lines
    .filter((line) => line.startsWith('+'))
    .map((line) => `${line.slice(1)}\n`)
    .join('')
}

/** The blocks of `<<<<<<< SEARCH … ======= … >>>>>>> REPLACE` text; undefined when it has none or an open one. */
export function searchBlocks(text: string): readonly ReplaceBlock[] | undefined {
  const blocks: ReplaceBlock[] = []
  let part: 'outside' | 'before' | 'after' = 'outside'
  let before: string[] = []
  let after: string[] = []
  for (const line of text.split('\n')) {
    if (part === 'outside' && /^<{5,9} SEARCH/.test(line)) {
      part = 'before'
      before = []
      after = []
    } else if (part === 'before' && /^={5,9}$/.test(line)) part = 'after'
    else if (part === 'after' && /^>{5,9} REPLACE/.test(line)) {
      part = 'outside'
      blocks.push({ before, after })
    } else if (part === 'before') {
      if (/^:(?:start|end)_line:/.test(line)) continue
      if (/^-{5,9}$/.test(line) && before.length === 0) continue
      before.push(line)
    } else if (part === 'after') after.push(line)
  }
  return part === 'outside' ? workable(blocks) : undefined
}

/** Applies blocks in order, each after the one before; undefined when one does not fit. */
export function applyBlocks(text: string, blocks: readonly ReplaceBlock[]): string | undefined {
  const lines = text.split('\n')
  const result: string[] = []
  let at = 0
  for (const { before, after, anchor } of blocks) {
    const from = anchor === undefined ? at : lineAfter(lines, anchor, at)
    const [found] = from === undefined ? [] : findSequence(lines, before, from)
    if (found === undefined) return undefined
    for (const line of lines.slice(at, found)) result.push(line)
    for (const line of after) result.push(line)
    at = found + before.length
  }
  return result.concat(lines.slice(at)).join('\n')
}

function lineAfter(lines: readonly string[], anchor: string, from: number): number | undefined {
  const found = lines.findIndex((line, index) => index >= from && line.trim() === anchor)
  return found === -1 ? undefined : found + 1
}
