import type { Dirent } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { inHeldFolder, makeFolders } from '@countersign/node'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile } from '../definition/tool-failure.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'
import { entryOf } from './atomic-write.ts'

const MAX_ENTRIES = 1_000

/** `list_directory`: the entries of a folder, one per line. */
export const listDirectoryTool = defineTool({
  name: 'list_directory',
  description: 'Lists a folder, sorted by name: folders end with `/`, links show where they point. Not recursive.',
  input: z.strictObject({ path: z.string().min(1).optional().describe('The folder; default: the workspace.') }),
  async run({ path = '.' }, run) {
    const real = toolPath(path, run)
    const shown = shownPath(real, run.workspace)
    return onFile(shown, () =>
      inHeldFolder(real, async ({ at }) => {
        const entries = await readdir(at, { withFileTypes: true })
        if (entries.length === 0) return `\`${shown}\` is an empty folder`
        const sorted = entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
        const lines = await Promise.all(sorted.slice(0, MAX_ENTRIES).map((entry) => lineOf(entry, at)))
        if (sorted.length > MAX_ENTRIES) lines.push(`[${sorted.length - MAX_ENTRIES} more entries are not shown]`)
        return lines.join('\n')
      }),
    )
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

/** `create_directory`: a folder and its parents. */
export const createDirectoryTool = defineTool({
  name: 'create_directory',
  description: 'Creates a folder and any missing parent folders.',
  input: z.strictObject({ path: z.string().min(1).describe('The folder, from the workspace.') }),
  async run({ path }, run) {
    const real = toolPath(path, run)
    const shown = shownPath(real, run.workspace)
    return onFile(shown, async () => {
      if ((await entryOf(real))?.isDirectory() === true) return `\`${shown}\` already exists`
      makeFolders(real).release()
      return `created the folder \`${shown}\``
    })
  },
})
