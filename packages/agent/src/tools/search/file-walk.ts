import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolRun } from '../definition/agent-tool.ts'
import { onFile } from '../definition/tool-failure.ts'
import { shownPath } from '../definition/tool-path.ts'

/** Folders that hold other people's text. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** A file that may be searched, or something that may not be read unasked. */
export interface Searched {
  readonly path: string
  readonly allowed: boolean
}

/**
 * Every regular file below a folder, in the order of names; links are not followed, so that this ends and stays below.
 * INVARIANT: L2, each is judged by itself, as `read_file` of it would be: whoever may search a folder may not thereby read
 * all it holds. It is judged before it is looked into, since that something was left out would tell what it holds.
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

/** A folder below that may not be read is passed over; the one that was asked for is not. */
async function entriesOf(folder: string, asked: boolean): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (asked) throw error
    return []
  })
  return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}
