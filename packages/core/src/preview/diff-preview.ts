import type { FrozenCall } from '../call/call.ts'
import type { Targets } from '../ports/targets.ts'
import { diffTexts, textLines } from './diff-hunks.ts'
import { jsonPreview } from './json-preview.ts'
import type { Preview } from './preview.ts'
import { changeText } from './text-change.ts'

/** A larger file is not compared; its arguments are shown whole. */
const MAX_FILE_BYTES = 1024 * 1024

/** What a write or an edit would change in one file, line by line; the arguments when that cannot be worked out. */
export async function writePreview(call: FrozenCall, path: string, targets: Targets): Promise<Preview> {
  const now = await readCurrent(path, call.cwd, targets)
  if (now.kind === 'opaque') return jsonPreview(call, [now.note])
  const current = now.kind === 'text' ? now.text : undefined
  const change = changeText(call.args, current)
  if (change.kind === 'unknown') return jsonPreview(call)
  const guess =
    call.descriptor.source === 'guessed' ? ['this is a guess at what the tool does with these arguments'] : []
  if (change.kind === 'fails') return diff(path, 'none', [...guess, change.note])
  if (current === change.text)
    return diff(path, 'none', [...guess, ...change.notes, 'no changes: the file already holds exactly this'])
  const texts = diffTexts(current ?? '', change.text)
  return {
    kind: 'diff',
    path,
    change: current === undefined ? 'create' : 'overwrite',
    ...texts,
    notes: [...guess, ...change.notes, ...endNotes(current, change.text), ...texts.notes],
  }
}

/** What would be gone: the file's lines, or a note about what is no text. */
export async function deletePreview(call: FrozenCall, path: string, targets: Targets): Promise<Preview> {
  const now = await readCurrent(path, call.cwd, targets)
  if (now.kind === 'opaque') return jsonPreview(call, [now.note])
  if (now.kind === 'absent') return jsonPreview(call, [`nothing is at \`${path}\``])
  return { kind: 'diff', path, change: 'delete', ...diffTexts(now.text, '') }
}

type Current =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'opaque'; readonly note: string }

async function readCurrent(path: string, cwd: string, targets: Targets): Promise<Current> {
  const text = await targets.readText(path, cwd, MAX_FILE_BYTES)
  if (text !== undefined) return { kind: 'text', text }
  const { type } = await targets.look(path, cwd, 0)
  switch (type) {
    case 'absent':
      return { kind: 'absent' }
    case 'directory':
      return { kind: 'opaque', note: `\`${path}\` is a folder` }
    default:
      return {
        kind: 'opaque',
        note: `\`${path}\` is binary, larger than 1 MiB or unreadable: its changes cannot be shown line by line`,
      }
  }
}

function diff(path: string, change: 'none', notes: readonly string[]): Preview {
  return { kind: 'diff', path, change, hunks: [], added: 0, removed: 0, notes }
}

/** Changes that a line by line view shows badly. */
function endNotes(before: string | undefined, after: string): readonly string[] {
  const notes: string[] = []
  const from = before === undefined ? 'none' : lineEndings(before)
  const to = lineEndings(after)
  if (from !== to && from !== 'none' && to !== 'none') notes.push(`line endings change from ${from} to ${to}`)
  if (before === undefined && to !== 'none' && to !== 'LF') notes.push(`line endings are ${to}`)
  const ended = before === undefined || before === '' || before.endsWith('\n')
  if (ended && after !== '' && !after.endsWith('\n')) notes.push('the new text has no newline at its end')
  if (!ended && after.endsWith('\n')) notes.push('a newline is added at the end')
  if (before !== undefined && before !== '' && after === '')
    notes.push(`the file is emptied of its ${textLines(before).length} lines`)
  return notes
}

function lineEndings(text: string): 'none' | 'LF' | 'CRLF' | 'mixed' {
  const breaks = text.split('\n').length - 1
  const carriages = text.split('\r\n').length - 1
  if (breaks === 0) return 'none'
  return carriages === 0 ? 'LF' : carriages === breaks ? 'CRLF' : 'mixed'
}
