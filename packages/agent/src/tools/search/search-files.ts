import * as z from 'zod'
import type { ToolRun } from '../definition/agent-tool.ts'
import { defineTool } from '../definition/define-tool.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'
import { readText } from '../files/text-file.ts'
import { searchedFiles } from './file-walk.ts'
import { type LineMatcher, MOST_SOUGHT, openLineMatcher, type Sought } from './line-matcher.ts'

const MOST_MATCHES = 200
const MOST_FILES = 20_000
const MOST_FILE_BYTES = 1024 * 1024
const MOST_LINE = 300
const LONGEST_MS = 30_000

/** `search`: lines of text below a folder. */
export const searchTool = defineTool({
  name: 'search',
  description:
    'Finds lines that hold a text, in the files below a folder; .git, node_modules, links, binary files and files that read_file would have to ask for are skipped. With regex: true the pattern is an RE2 regular expression.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000).describe('The text to find, to the letter.'),
    path: z.string().min(1).optional().describe('The folder or file; the workspace when absent.'),
    regex: z.boolean().optional(),
    ignore_case: z.boolean().optional(),
  }),
  async run({ pattern, path = '.', regex = false, ignore_case: anyCase = false }, run) {
    const root = toolPath(path, run.workspace)
    const { lines, notes } = await searchBelow(root, { pattern, regex, anyCase }, run)
    const shown = lines.length === 0 ? ['nothing found'] : lines.slice(0, MOST_MATCHES)
    return [...shown, ...notes.map((note) => `[${note}]`)].join('\n')
  },
})

/** What was found, and in words what was not looked at. */
interface Found {
  readonly lines: readonly string[]
  readonly notes: readonly string[]
}

async function searchBelow(root: string, sought: Sought, run: ToolRun): Promise<Found> {
  const matcher = await openLineMatcher(sought, run.signal)
  const until = performance.now() + LONGEST_MS
  const lines: string[] = []
  const ends = new Set<string>()
  let [files, leftOut, cut] = [0, 0, 0]
  try {
    for await (const { path, allowed } of searchedFiles(root, run)) {
      files += 1
      if (files > MOST_FILES) ends.add(`only the first ${MOST_FILES} files were searched`)
      if (lines.length > MOST_MATCHES) ends.add(`only the first ${MOST_MATCHES} lines are shown`)
      if (performance.now() > until) ends.add(`the search was ended after ${LONGEST_MS / 1000} s; search fewer files`)
      if (ends.size > 0) break
      if (!allowed) {
        leftOut += 1
        continue
      }
      const text = await linesOf(path, run)
      if (sought.regex && text.some((line) => line.length > MOST_SOUGHT)) cut += 1
      const found = await matchesIn(path, text, matcher, run)
      if (found === null) {
        ends.add(`the search was ended: the pattern takes too long in \`${shownPath(path, run.workspace)}\``)
        break
      }
      lines.push(...found)
    }
  } finally {
    matcher.close()
  }
  if (lines.length > MOST_MATCHES) ends.add(`only the first ${MOST_MATCHES} lines are shown`)
  if (cut > 0)
    ends.add(`of long lines in ${counted(cut, 'file')} only the first ${MOST_SOUGHT} characters were searched`)
  if (leftOut > 0)
    ends.add(`${counted(leftOut, 'file or folder', 'files or folders')} left out; read_file asks for what it needs`)
  return { lines, notes: [...ends] }
}

/** No lines where there is no text, or more of it than is searched. */
async function linesOf(file: string, run: ToolRun): Promise<readonly string[]> {
  run.signal.throwIfAborted()
  const read = await readText(file, shownPath(file, run.workspace), MOST_FILE_BYTES).catch(() => null)
  return read?.kind === 'text' ? read.text.split('\n') : []
}

async function matchesIn(
  file: string,
  text: readonly string[],
  matcher: LineMatcher,
  run: ToolRun,
): Promise<readonly string[] | null> {
  if (text.length === 0) return []
  const found = await matcher.find(text, MOST_MATCHES + 1)
  if (found === null) return null
  const shown = shownPath(file, run.workspace)
  return found.map((at) => {
    const line = text[at] ?? ''
    const words = line.length > MOST_LINE ? `${line.slice(0, MOST_LINE).toWellFormed()}…` : line
    return `${shown}:${at + 1}: ${words.trimEnd()}`
  })
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
