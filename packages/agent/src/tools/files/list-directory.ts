import type { Dirent } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile } from '../definition/tool-failure.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'

const MOST_ENTRIES = 1_000

/** `list_directory`: what a folder holds, one name a line. */
export const listDirectoryTool = defineTool({
  name: 'list_directory',
  description: 'Lists a folder, sorted by name: folders end with `/`, links show where they point. Not recursive.',
  input: z.strictObject({ path: z.string().min(1).optional().describe('The folder; the workspace when absent.') }),
  async run({ path = '.' }, { workspace }) {
    const real = toolPath(path, workspace)
    const shown = shownPath(real, workspace)
    return onFile(shown, async () => {
      const entries = await readdir(real, { withFileTypes: true })
      if (entries.length === 0) return `\`${shown}\` is an empty folder`
      const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
      const lines = await Promise.all(sorted.slice(0, MOST_ENTRIES).map((entry) => lineOf(entry, real)))
      if (sorted.length > MOST_ENTRIES) lines.push(`[${sorted.length - MOST_ENTRIES} more entries are not shown]`)
      return lines.join('\n')
    })
  },
})

/** A name with a line feed would look like two. */
async function lineOf(entry: Dirent, folder: string): Promise<string> {
  const name = /[\n\r]/.test(entry.name) ? JSON.stringify(entry.name) : entry.name
  if (entry.isDirectory()) return `${name}/`
  if (!entry.isSymbolicLink()) return name
  const target = await readlink(join(folder, entry.name)).catch(() => '?')
  return `${name} -> ${/[\n\r]/.test(target) ? JSON.stringify(target) : target}`
}
