import type { JsonObject } from '../../call/json/json.ts'
import type { Targets } from '../../ports/targets.ts'
import { diffTexts, textLines } from '../diff/hunks.ts'
import type { DiffPreview } from '../model/preview.ts'
import { byteWords, type Current, countedWords, modeNotes, readCurrent } from '../targets/target-lookup.ts'
import { changeText } from './text-change.ts'

/** One file of a patch or a list of edits. */
export interface ChangedFile {
  readonly path: string
  /** Of a move or a copy: the file it is made from. */
  readonly from?: string
  readonly change: 'edit' | 'delete' | 'move' | 'copy'
  /** The arguments that determine its new text. */
  readonly args: JsonObject
  /** False when only its name, mode or bytes change. */
  readonly hasLines: boolean
  /** The size of binary content; 0 when the patch does not include it. */
  readonly binary?: number
  readonly added: number
  readonly removed: number
}

type Compared = Exclude<Current, { kind: 'folder' | 'unseen' }>

/** The change of one file among others. A note explains what could not be computed. */
export async function diffFile(file: ChangedFile, cwd: string, targets: Targets): Promise<DiffPreview> {
  const { path, change } = file
  const base = file.from ?? path
  const now = await readCurrent(base, cwd, targets)
  const moved = file.from === undefined ? {} : { from: file.from }
  const asIs = { ...unchanged(path), ...moved, change: change === 'edit' ? 'overwrite' : change } as const
  const counted = { added: file.added, removed: file.removed, folded: file.added + file.removed }
  if (now.kind === 'folder') return { ...unchanged(path), notes: [`\`${base}\` is a folder: this would fail`] }
  if (now.kind === 'unseen') return { ...asIs, ...counted, notes: [now.note] }
  if (now.kind === 'absent' && (change !== 'edit' || (file.hasLines && expectsFile(file))))
    return { ...unchanged(path), notes: [`\`${base}\` does not exist: this would fail`] }
  const onto = file.from === undefined ? [] : await overwriteNotes(path, cwd, targets)
  if (change === 'delete') return deleted(path, now)
  if (file.binary !== undefined) {
    const size = file.binary === 0 ? ' and not in the patch' : `, ${byteWords(file.binary)}`
    const made = now.kind === 'absent' ? 'create' : asIs.change
    return {
      ...asIs,
      change: made,
      notes: [...onto, `the new content is binary${size}`, ...modeNotes(file.args, now.facts)],
    }
  }
  if (!file.hasLines) {
    const modes = modeNotes(file.args, now.facts)
    const made = now.kind === 'absent' ? 'create' : asIs.change
    const still = modes.length === 0 && made === 'overwrite' ? ['no changes'] : []
    const empty = made === 'create' ? ['the new file is empty'] : []
    return { ...asIs, change: made, notes: [...onto, ...modes, ...empty, ...still] }
  }
  if (now.kind === 'opaque') return { ...asIs, ...counted, notes: [...onto, now.note] }
  const made = diffWith(path, file.args, now)
  if (made === undefined)
    return {
      ...asIs,
      ...counted,
      drawn: [],
      notes: [...onto, 'this change could not be computed; see the arguments'],
    }
  return {
    ...made,
    ...moved,
    change: file.from === undefined || made.change === 'none' ? made.change : asIs.change,
    notes: [...onto, ...made.notes],
  }
}

/** The change that the arguments make to a text; undefined when it cannot be computed. */
export function diffWith(path: string, args: JsonObject, now: Compared): DiffPreview | undefined {
  const current = now.kind === 'text' ? now.text : undefined
  const change = changeText(args, current)
  if (change.kind === 'unknown') return undefined
  const modes = modeNotes(args, now.facts)
  // This may be wrong, so the arguments are shown as well.
  if (change.kind === 'fails') return { ...unchanged(path), drawn: [], notes: [change.note] }
  const made = now.kind === 'absent' ? 'create' : 'overwrite'
  const before = now.kind === 'opaque' ? [now.note] : []
  if (change.kind === 'bytes') {
    const size = `the new content is binary, ${byteWords(change.bytes)}`
    return { ...unchanged(path), change: made, notes: [...change.notes, size, ...before, ...modes] }
  }
  if (change.kind === 'part') {
    const { notes, ...texts } = diffTexts(change.before, change.after)
    const same = change.before === change.after ? ['no changes: it already has this content'] : []
    return { kind: 'diff', path, change: made, ...texts, notes: [...change.notes, ...same, ...notes] }
  }
  if (now.kind === 'text' && now.text === change.text) {
    const same = modes.length > 0 ? 'the content stays the same' : 'no changes: the file already has this content'
    return { ...unchanged(path), notes: [...change.notes, same, ...modes] }
  }
  const texts = diffTexts(current ?? '', change.text)
  return {
    kind: 'diff',
    path,
    change: made,
    ...texts,
    notes: [...change.notes, ...before, ...endNotes(current, change.text), ...modes, ...texts.notes],
  }
}

/** A preview of one file in which nothing changes. */
export function unchanged(path: string): DiffPreview {
  return { kind: 'diff', path, change: 'none', hunks: [], added: 0, removed: 0, folded: 0, notes: [] }
}

function deleted(path: string, now: Compared): DiffPreview {
  const gone = { ...unchanged(path), change: 'delete' } as const
  if (now.kind === 'opaque') return { ...gone, notes: [now.note] }
  return now.kind === 'text' ? { ...gone, ...diffTexts(now.text, '') } : gone
}

/** A patch with old lines, or an update, needs an existing file. */
function expectsFile({ args, removed }: ChangedFile): boolean {
  const { patch } = args
  if (typeof patch !== 'string') return false
  return removed > 0 || patch.startsWith('*** Begin Patch\n*** Update File: ')
}

async function overwriteNotes(path: string, cwd: string, targets: Targets): Promise<readonly string[]> {
  const there = await readCurrent(path, cwd, targets)
  return there.kind === 'absent' ? [] : [`overwrites \`${path}\``]
}

/** Changes that a line view does not show: line endings, the last newline, a byte order mark, an empty file. */
export function endNotes(before: string | undefined, after: string): readonly string[] {
  const notes: string[] = []
  const from = before === undefined ? 'none' : lineEndings(before)
  const to = lineEndings(after)
  if (from !== to && from !== 'none' && to !== 'none') notes.push(`line endings change from ${from} to ${to}`)
  if (before === undefined && to !== 'none' && to !== 'LF') notes.push(`line endings are ${to}`)
  const ended = before === undefined || before === '' || before.endsWith('\n')
  if (ended && after !== '' && !after.endsWith('\n')) notes.push('no newline at the end of the new text')
  if (!ended && after.endsWith('\n')) notes.push('a newline is added at the end')
  if (before !== undefined && before !== '' && after === '')
    notes.push(`the file becomes empty: it has ${countedWords(textLines(before).length, 'line')} now`)
  if (before === undefined && after === '') notes.push('the new file is empty')
  const [had, has] = [before?.startsWith('\ufeff') === true, after.startsWith('\ufeff')]
  if (before !== undefined && had !== has) notes.push(`a byte order mark is ${has ? 'added' : 'removed'} at the start`)
  if (after.includes('\0')) notes.push('the new content is binary (contains NUL characters)')
  return notes
}

function lineEndings(text: string): 'none' | 'LF' | 'CRLF' | 'mixed' {
  const breaks = text.split('\n').length - 1
  const carriages = text.split('\r\n').length - 1
  if (breaks === 0) return 'none'
  return carriages === 0 ? 'LF' : carriages === breaks ? 'CRLF' : 'mixed'
}
