import { sizeWords } from '@countersign/core'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { MAX_CHARACTERS } from '../definition/output-limit.ts'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'
import { readText } from './text-file.ts'

const MAX_LINES = 2_000

/** `read_file`: the text of a file, or some of its lines. */
export const readFileTool = defineTool({
  name: 'read_file',
  description: `Reads a text file. At most ${MAX_LINES} lines at a time; use start_line and end_line (from 1, inclusive) for more.`,
  input: z.strictObject({
    path: z.string().min(1).describe('The file, from the workspace.'),
    start_line: z.int().min(1).optional(),
    end_line: z.int().min(1).optional(),
  }),
  async run({ path, start_line: from = 1, end_line: to }, run) {
    if (to !== undefined && to < from) throw toolFailure(`end_line ${to} comes before start_line ${from}`)
    const real = toolPath(path, run)
    const shown = shownPath(real, run.workspace)
    const file = await onFile(shown, () => readText(real, shown))
    if (file.kind === 'binary') return `\`${shown}\` is a binary file, ${sizeWords(file.bytes)}`
    return linesOf(file.text, from, to ?? Number.POSITIVE_INFINITY, shown)
  },
})

function linesOf(text: string, from: number, to: number, shown: string): string {
  if (text === '') return `\`${shown}\` is empty`
  const lines = text.split('\n')
  const ends = text.endsWith('\n')
  if (ends) lines.pop()
  if (from > lines.length) throw toolFailure(`\`${shown}\` has ${lines.length} lines; there is no line ${from}`)
  const asked = lines.slice(from - 1, Math.min(to, from - 1 + MAX_LINES))
  const kept = fitting(asked)
  const last = from - 1 + kept.length
  const body = kept.join('\n') + (ends || last < lines.length ? '\n' : '')
  const cut = kept.length === 0 ? boundedLine(asked[0] ?? '') : body
  const isWhole = from === 1 && last >= lines.length
  return isWhole ? body : `${cut}[lines ${from} to ${Math.max(last, from)} of ${lines.length}]`
}

/** As many whole lines as fit in a result. */
function fitting(lines: readonly string[]): readonly string[] {
  let characters = 0
  const end = lines.findIndex((line) => {
    characters += line.length + 1
    return characters > MAX_CHARACTERS
  })
  return end === -1 ? lines : lines.slice(0, end)
}

function boundedLine(line: string): string {
  const head = line.slice(0, MAX_CHARACTERS).toWellFormed()
  return `${head}\n[the line continues: ${line.length - MAX_CHARACTERS} more characters]\n`
}
