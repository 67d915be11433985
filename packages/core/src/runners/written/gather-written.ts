import { changeText } from '../../preview/edits/text-change.ts'
import type { ProjectReader } from '../reading/project-reader.ts'
import type { NewText } from './new-texts.ts'
import { rowsOf, type Trigger, triggersIn } from './run-file.ts'

/** What a call adds to a file that other programs run. */
export interface WrittenRun {
  /** The path as people know it. */
  readonly file: string
  /** What the new text makes others run, and the old one did not. */
  readonly added: readonly Trigger[]
  /** The code that a file of code had before; null for other files. */
  readonly was: string | null
  /** False if the new text is not known or can't be read. */
  readonly isKnown: boolean
  readonly by: NewText['by']
}

/** Reads the files that a call would change and that other programs run, and compares what they run before and after. */
export async function gatherWritten(texts: readonly NewText[], reader: ProjectReader): Promise<readonly WrittenRun[]> {
  const found: WrittenRun[] = []
  for (const text of texts) {
    const written = await compare(text, reader)
    if (written !== null) found.push(written)
  }
  return found
}

async function compare(change: NewText, reader: ProjectReader): Promise<WrittenRun | null> {
  const { path, folder, by } = change
  const real = await reader.resolve(path, folder)
  const file = real === null ? path : reader.shown(real)
  const rows = rowsOf(file)
  if (rows.length === 0) return null
  const before = await textAt(path, folder, reader)
  const after = await newText(change, reader)
  if (after === undefined) return { file, added: [], was: null, isKnown: false, by }
  if (after === before) return null
  const now = triggersIn(rows, after)
  if (now.kind === 'unreadable') return { file, added: [], was: null, isKnown: false, by }
  const earlier = triggersIn(rows, before)
  const known = new Set(earlier.kind === 'unreadable' ? [] : earlier.all.map(keyOf))
  const added = now.all.filter((one) => !known.has(keyOf(one)))
  const [whole] = earlier.kind === 'unreadable' ? [] : earlier.all
  return added.length === 0 ? null : { file, added, was: whole?.key === '' ? whole.code : null, isKnown: true, by }
}

/** Positions in a list do not count: steps move when another one is added. */
function keyOf({ code, key, effect }: Trigger): string {
  return JSON.stringify([code, effect, code === null ? key.replace(/\.\d+(?=\.|$)/g, '.*') : ''])
}

async function newText({ folder, from }: NewText, reader: ProjectReader): Promise<string | undefined> {
  switch (from.kind) {
    case 'text':
      return from.text
    case 'file':
      return textAt(from.path, folder, reader)
    case 'edit': {
      const change = changeText(from.args, await textAt(from.base, folder, reader))
      return change.kind === 'text' ? change.text : undefined
    }
  }
}

async function textAt(path: string, folder: string, reader: ProjectReader): Promise<string | undefined> {
  const reading = await reader.read(path, folder)
  return reading.kind === 'file' ? reading.text : undefined
}
