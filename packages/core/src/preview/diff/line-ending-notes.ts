import { countedWords } from '../targets/target-lookup.ts'
import { textLines } from './hunks.ts'

/** Changes that a line by line view shows badly: line endings, the newline at the end, a byte order mark, emptiness. */
export function endNotes(before: string | undefined, after: string): readonly string[] {
  const notes: string[] = []
  const from = before === undefined ? 'none' : lineEndings(before)
  const to = lineEndings(after)
  if (from !== to && from !== 'none' && to !== 'none') notes.push(`line endings change from ${from} to ${to}`)
  if (before === undefined && to !== 'none' && to !== 'LF') notes.push(`line endings are ${to}`)
  const ended = before === undefined || before === '' || before.endsWith('\n')
  if (ended && after !== '' && !after.endsWith('\n')) notes.push('the new text has no newline at its end')
  if (!ended && after.endsWith('\n')) notes.push('a newline is added at the end')
  if (before !== undefined && before !== '' && after === '')
    notes.push(`the file is emptied of its ${countedWords(textLines(before).length, 'line')}`)
  if (before === undefined && after === '') notes.push('the new file is empty')
  const [had, has] = [before?.startsWith('\ufeff') === true, after.startsWith('\ufeff')]
  if (before !== undefined && had !== has) notes.push(`a byte order mark is ${has ? 'added' : 'removed'} at the start`)
  if (after.includes('\0')) notes.push('the new content is binary: it holds NUL characters')
  return notes
}

function lineEndings(text: string): 'none' | 'LF' | 'CRLF' | 'mixed' {
  const breaks = text.split('\n').length - 1
  const carriages = text.split('\r\n').length - 1
  if (breaks === 0) return 'none'
  return carriages === 0 ? 'LF' : carriages === breaks ? 'CRLF' : 'mixed'
}
