import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import type { ToolRun } from '../definition/agent-tool.ts'
import { defineTool } from '../definition/define-tool.ts'
import { onFile } from '../definition/tool-failure.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'
import { readText } from '../files/text-file.ts'
import { type LineMatcher, MAX_SOUGHT, openLineMatcher, type Sought } from './line-matcher.ts'

const MAX_MATCHES = 200
const MAX_FILES = 20_000
const MAX_FILE_BYTES = 1024 * 1024
const MAX_LINE = 300
const LONGEST_MS = 30_000

/** `search`: matching lines below a folder. */
export const searchTool = defineTool({
  name: 'search',
  description:
    'Finds lines that contain a text, in the files below a folder. Skips .git, node_modules, links, binary files and files that need approval for read_file. With regex: true the pattern is an RE2 regular expression.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1_000).describe('The exact text to find.'),
    path: z.string().min(1).optional().describe('The folder or file; default: the workspace.'),
    regex: z.boolean().optional(),
    ignore_case: z.boolean().optional(),
  }),
  async run({ pattern, path = '.', regex = false, ignore_case: anyCase = false }, run) {
    const root = toolPath(path, run)
    const { lines, notes } = await searchBelow(root, { pattern, regex, anyCase }, run)
    const shown = lines.length === 0 ? ['nothing found'] : lines.slice(0, MAX_MATCHES)
    return [...shown, ...notes.map((note) => `[${note}]`)].join('\n')
  },
})

/** The matches, and what was skipped. */
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
      if (files > MAX_FILES) ends.add(`only the first ${MAX_FILES} files were searched`)
      if (lines.length > MAX_MATCHES) ends.add(`only the first ${MAX_MATCHES} lines are shown`)
      if (performance.now() > until) ends.add(`the search was stopped after ${LONGEST_MS / 1000} s; search fewer files`)
      if (ends.size > 0) break
      if (!allowed) {
        leftOut += 1
        continue
      }
      const text = await linesOf(path, run)
      if (sought.regex && text.some((line) => line.length > MAX_SOUGHT)) cut += 1
      const found = await matchesIn(path, text, matcher, run)
      if (found === null) {
        ends.add(`the search was stopped: the pattern takes too long in \`${shownPath(path, run.workspace)}\``)
        break
      }
      lines.push(...found)
    }
  } finally {
    matcher.close()
  }
  if (lines.length > MAX_MATCHES) ends.add(`only the first ${MAX_MATCHES} lines are shown`)
  if (cut > 0)
    ends.add(`of long lines in ${counted(cut, 'file')} only the first ${MAX_SOUGHT} characters were searched`)
  if (leftOut > 0)
    ends.add(`${counted(leftOut, 'file or folder', 'files or folders')} left out; read_file asks for what it needs`)
  return { lines, notes: [...ends] }
}

/** No lines when the file is binary or too large. */
async function linesOf(file: string, run: ToolRun): Promise<readonly string[]> {
  run.signal.throwIfAborted()
  const read = await readText(file, shownPath(file, run.workspace), MAX_FILE_BYTES).catch(() => null)
  return read?.kind === 'text' ? read.text.split('\n') : []
}

async function matchesIn(
  file: string,
  text: readonly string[],
  matcher: LineMatcher,
  run: ToolRun,
): Promise<readonly string[] | null> {
  if (text.length === 0) return []
  const found = await matcher.find(text, MAX_MATCHES + 1)
  if (found === null) return null
  const shown = shownPath(file, run.workspace)
  return found.map((at) => {
    const line = text[at] ?? ''
    const words = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line
    return `${shown}:${at + 1}: ${words.trimEnd()}`
  })
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** Folders with third-party content. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** A file to search, or an entry that may not be read unasked. */
interface Searched {
  readonly path: string
  readonly allowed: boolean
}

/**
 * Every regular file below a folder, by name; links are not followed. INVARIANT: L2, each is judged as `read_file`
 * would be: permission to search a folder is not permission to read all of it. It is judged before it is read, because
 * skipping it afterwards would reveal its content.
 */
export async function* searchedFiles(root: string, { signal, workspace, mayRead }: ToolRun): AsyncGenerator<Searched> {
  const found = await onFile(shownPath(root, workspace), () => lstat(root))
  if (found.isFile()) {
    yield { path: root, allowed: await mayRead(root) }
    return
  }
  const waiting = [root]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    signal.throwIfAborted()
    const isRoot = folder === root
    if (!isRoot && !(await mayRead(folder))) {
      yield { path: folder, allowed: false }
      continue
    }
    const at = folder
    const entries = await onFile(shownPath(at, workspace), () => entriesOf(at, isRoot))
    for (const entry of entries) {
      if (!entry.isFile()) continue
      const path = join(at, entry.name)
      yield { path, allowed: await mayRead(path) }
    }
    const folders = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
    for (const entry of folders.reverse()) waiting.push(join(at, entry.name))
  }
}

/** An unreadable subfolder is skipped; an unreadable root is an error. */
async function entriesOf(folder: string, asked: boolean): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (asked) throw error
    return []
  })
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
