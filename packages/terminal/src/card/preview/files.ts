import {
  byteWords,
  CHANGE_WORDS,
  comparableMasks,
  countedWords,
  type DiffHunk,
  type DiffPreview,
  type Json,
  type JsonObject,
  maskJson,
  type Preview,
  type PreviewTarget,
  type UnseenPreview,
} from '@countersign/core'
import { structuredPatch } from 'diff'
import { type Paragraph, paragraph, type Rows } from '../text/rows.ts'
import { type DiffLook, hunkRows } from './diff.ts'

/** The changes of one file. */
export function diffRows(preview: DiffPreview, rows: Rows, look: DiffLook = {}): void {
  const { change, path, from, hunks, folded } = preview
  const places = from === undefined ? path : `${from} → ${path}`
  rows.text(paragraph(`${CHANGE_WORDS[change]} ${places}${countsOf(preview)}`).text)
  noteRows(preview.notes, rows)
  for (const [at, hunk] of hunks.entries()) {
    if (at > 0) rows.text(paragraph('⋯').text, { styles: ['dim'] })
    hunkRows(hunk, path, rows, look)
  }
  if (folded > 0) rows.folds(folded)
}

/** Changes of several files. */
export function filesRows(preview: Extract<Preview, { kind: 'files' }>, rows: Rows, look: DiffLook = {}): void {
  const { changes } = preview
  const added = changes.reduce((sum, one) => sum + one.added, 0)
  const removed = changes.reduce((sum, one) => sum + one.removed, 0)
  rows.text(paragraph(`${countedWords(changes.length, 'file')}  +${added} −${removed}`).text)
  noteRows(preview.notes, rows)
  for (const change of changes) {
    const isDrawn = change.hunks.length > 0 || change.folded === 0
    if (isDrawn) rows.gap()
    diffRows(change, rows, look)
  }
}

/** Changes that a command could load and that nobody has seen. */
export function unseenRows({ everything, files, more }: UnseenPreview, rows: Rows, look: DiffLook = {}): void {
  rows.gap()
  const sum = everything === null ? countedWords(files.length + more, 'file') : `all files: ${everything}`
  rows.field('unseen', [paragraph(`changes nobody has seen, in ${sum}`, 'yellow')])
  for (const file of files) {
    rows.gap()
    // The notes tell what is left out; there are no arguments with the rest.
    diffRows({ ...file, folded: 0 }, rows, look)
  }
  const rest = more === 0 ? [] : [`${countedWords(more, 'file')} more; see \`countersign changes\``]
  const all = everything === null ? [] : ['to end this, check the workspace and run `countersign changes seen --all`']
  noteRows([...rest, ...all], rows)
}

function countsOf({ change, added, removed }: DiffPreview): string {
  if (added + removed === 0) return ''
  if (change === 'create') return `  +${added}`
  return change === 'delete' ? `  −${removed}` : `  +${added} −${removed}`
}

/** What a deletion removes: the sum, then each file or folder with its contents. */
export function deleteRows(preview: Extract<Preview, { kind: 'delete' }>, rows: Rows): void {
  const { targets } = preview
  const [first] = targets
  if (targets.length > 1) rows.text(paragraph(`deletes ${targets.length} targets: ${sumOf(targets)}`).text)
  else if (first !== undefined)
    rows.text(paragraph(`deletes ${first.path}  ${figures(first)}`).text, { styles: ['red'] })
  noteRows(preview.notes, rows)
  for (const one of targets) {
    const head = targets.length > 1 ? [paragraph(`- ${one.path}  ${figures(one)}`, 'red')] : []
    rows.block([...head, ...treeLines(one, targets.length > 1 ? '    ' : '')])
  }
}

function sumOf(targets: readonly PreviewTarget[]): string {
  const files = targets.reduce((sum, one) => sum + one.files, 0)
  const bytes = targets.reduce((sum, one) => sum + one.bytes, 0)
  const isAll = targets.every((one) => one.complete && one.unread === 0)
  return `${isAll ? '' : 'more than '}${countedWords(files, 'file')}, ${byteWords(bytes)}`
}

/** A move or copy: source, destination, and what is overwritten. */
export function moveRows(preview: Extract<Preview, { kind: 'move' }>, rows: Rows): void {
  const { from, to, verb } = preview
  rows.field(verb === 'move' ? 'moves' : 'copies', [paragraph(`${from.path}  ${figures(from)}`)])
  rows.field('to', [
    preview.overwrites
      ? paragraph(`${to.path}  overwrites the existing ${figures(to)}`, 'red')
      : paragraph(to.type === 'absent' ? to.path : `${to.path}  ${figures(to)}`),
  ])
  noteRows(preview.notes, rows)
}

/** Files that a command would write or delete; paths below its folder are shortened. */
export function targetRows(targets: readonly PreviewTarget[], folder: string): readonly Paragraph[] {
  const below = folder.endsWith('/') ? folder : `${folder}/`
  return targets.map((one) => {
    const path = one.path.startsWith(below) ? one.path.slice(below.length) : one.path
    if (one.use === 'delete') return paragraph(`deletes ${path}  ${figures(one)}`, 'red')
    return one.type === 'absent' ? paragraph(`creates ${path}`) : paragraph(`changes ${path}  ${figures(one)}`)
  })
}

/** Argument names that only say that the value is a path. */
const PLAIN =
  /^(?:(?:old|new|source|src|destination|dest|dst|target|from|to|file|dir|directory|folder|full|absolute|relative)[_-]?)?(?:path|file|filename|folder|dir|directory|source|src|destination|dest|dst|target|from|to|old|new|uri|location)s?$/i

/** Whether an argument is only one of the paths already shown. */
export function isNamed(name: string, value: unknown, preview: Extract<Preview, { kind: 'delete' | 'move' }>): boolean {
  if (!PLAIN.test(name)) return false
  const shown =
    preview.kind === 'delete' ? preview.targets.map((one) => one.path) : [preview.from.path, preview.to.path]
  if (preview.kind === 'move' && typeof value === 'string' && preview.to.path.startsWith(`${value}/`)) return true
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => shown.includes(String(one)))
  return typeof value === 'string' && shown.includes(value)
}

/** Notes on a preview. */
export function noteRows(notes: readonly string[], rows: Rows): void {
  for (const note of notes) rows.text(paragraph(note).text, { styles: ['yellow'] })
}

function figures({ type, leads, files, folders, bytes, unread, complete }: PreviewTarget): string {
  switch (type) {
    case 'absent':
      return '(does not exist)'
    case 'unseen':
      return '(could not be read)'
    case 'link':
      return leads === undefined ? '(a link)' : `(a link to ${leads})`
    case 'other':
      return '(special file)'
    case 'file':
      return `(${byteWords(bytes)})`
    case 'directory': {
      if (complete && unread === 0 && files + folders === 0) return '(empty folder)'
      const inside = folders === 0 ? '' : ` in ${countedWords(folders + 1, 'folder')}`
      const closed = unread === 0 ? '' : `, ${countedWords(unread, 'folder')} can’t be listed`
      return `(${complete ? '' : 'more than '}${countedWords(files, 'file')}${inside}, ${byteWords(bytes)}${closed})`
    }
  }
}

/** The names in a folder as a tree. */
function treeLines(target: PreviewTarget, lead: string): readonly Paragraph[] {
  const { type, listed, files, folders, unread, complete } = target
  if (type !== 'directory') return []
  const rows = [...listed].sort(byPlace).map((name) => {
    const names = name.split('/')
    const last = name.endsWith('/') ? `${names.at(-2) ?? ''}/` : (names.at(-1) ?? '')
    const depth = names.length - (name.endsWith('/') ? 2 : 1)
    return paragraph(`${lead}${'  '.repeat(depth)}${last}`, 'dim')
  })
  const left = files + folders - listed.length
  if (left <= 0 && unread === 0) return rows
  const more =
    left <= 0 ? [] : [paragraph(`${lead}… ${complete ? '' : 'more than '}${left.toLocaleString('en')} more`, 'dim')]
  const closed =
    unread === 0 ? [] : [paragraph(`${lead}… and ${countedWords(unread, 'folder')} that can’t be listed`, 'dim')]
  return [...rows, ...more, ...closed]
}

/** Sorts a folder directly before its contents. */
function byPlace(one: string, other: string): number {
  const [a, b] = [one.replaceAll('/', '\u0000'), other.replaceAll('/', '\u0000')]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The change made by an edit: texts of several lines as texts, the other arguments as JSON. */
export function editRows(before: JsonObject, after: JsonObject, revealed: boolean, rows: Rows): void {
  const shown = (args: JsonObject): JsonObject => (revealed ? args : (maskJson(args).value as JsonObject))
  const [old, now] = [shown(before), shown(after)]
  const texts = Object.keys(after).filter((name) => isTextChange(before[name], after[name]))
  const pair = (textOf: (args: JsonObject) => string): readonly string[] =>
    comparableMasks([
      { text: textOf(before), masked: textOf(old) },
      { text: textOf(after), masked: textOf(now) },
    ])
  rows.text(paragraph('edited: a new call, evaluated again before it runs').text, { styles: ['yellow', 'bold'] })
  for (const name of texts) {
    const [was = '', is = ''] = pair((args) => String(args[name]))
    changeRows(name, was, is, rows)
  }
  const [rest, newRest] = pair((args) => {
    const others = Object.entries(args).filter(([name]) => !texts.includes(name))
    return `${JSON.stringify(Object.fromEntries(others), null, 2)}\n`
  })
  if (texts.length === 0 || rest !== newRest) changeRows('the arguments', rest ?? '', newRest ?? '', rows)
  rows.gap()
  rows.text(paragraph('original call:').text, { styles: ['dim'] })
}

function isTextChange(old: Json | undefined, now: Json | undefined): boolean {
  return typeof old === 'string' && typeof now === 'string' && old !== now && /\n/.test(old + now)
}

function changeRows(path: string, before: string, after: string, rows: Rows): void {
  const { hunks } = structuredPatch('', '', before, after, '', '', { context: 2 })
  const drawn = hunks.map(
    ({ oldStart, newStart, lines }): DiffHunk => ({
      oldStart,
      newStart,
      lines: lines
        .filter((line) => !line.startsWith('\\'))
        .map((line) => ({ kind: KINDS[line[0] as keyof typeof KINDS] ?? 'same', text: line.slice(1) })),
    }),
  )
  const count = (kind: string): number =>
    drawn.flatMap((hunk) => hunk.lines).filter((line) => line.kind === kind).length
  diffRows(
    {
      kind: 'diff',
      path,
      change: drawn.length === 0 ? 'none' : 'overwrite',
      hunks: drawn,
      added: count('added'),
      removed: count('removed'),
      folded: 0,
      notes: [],
    },
    rows,
  )
}

const KINDS = { '+': 'added', '-': 'removed', ' ': 'same' } as const
