import { cp, mkdir, rename, rm, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { shownPath, toolEntry, toolPath } from '../definition/tool-path.ts'
import { entryOf } from './atomic-write.ts'

/** `move_file`: a new name or another folder. */
export const moveFileTool = defineTool({
  name: 'move_file',
  description:
    'Moves or renames a file or folder. If the destination is an existing folder, it is moved into it; an existing file is replaced.',
  input: z.strictObject({
    source: z.string().min(1).describe('What to move, from the workspace.'),
    destination: z.string().min(1).describe('Its new path, or the folder to move it into.'),
  }),
  async run({ source, destination }, { workspace }) {
    const { from, to } = await moveEnds(source, destination, workspace)
    const [shownFrom, shownTo] = [shownPath(from, workspace), shownPath(to, workspace)]
    if ((await onFile(shownFrom, () => entryOf(from))) === null) throw toolFailure(`\`${shownFrom}\` does not exist`)
    if (from === to) throw toolFailure(`\`${shownFrom}\` is already there`)
    await onFile(shownTo, async () => {
      await mkdir(dirname(to), { recursive: true })
      await rename(from, to).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EXDEV') throw error
        return copyThenRemove(from, to)
      })
    })
    return `moved \`${shownFrom}\` to \`${shownTo}\``
  },
})

/** The source and the final path: inside, when a folder was named. */
export async function moveEnds(
  source: string,
  destination: string,
  workspace: string,
): Promise<{ readonly from: string; readonly to: string }> {
  const from = toolEntry(source, workspace)
  const real = toolPath(destination, workspace)
  const found = await onFile(destination, () => entryOf(real))
  const isInside = found?.isDirectory() === true && real !== from
  return { from, to: isInside ? join(real, basename(from)) : toolEntry(destination, workspace) }
}

/** Across disks: copy everything, then remove. */
async function copyThenRemove(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  await rm(from, { recursive: true })
}

/** `delete_file`: a file, a link, or a folder with its content. */
export const deleteFileTool = defineTool({
  name: 'delete_file',
  description: 'Deletes a file, or a folder with its content. For a link, only the link is deleted.',
  input: z.strictObject({ path: z.string().min(1).describe('What to delete, from the workspace.') }),
  async run({ path }, { workspace }) {
    const entry = toolEntry(path, workspace)
    const shown = shownPath(entry, workspace)
    return onFile(shown, async () => {
      const found = await entryOf(entry)
      if (found === null) throw toolFailure(`\`${shown}\` does not exist`)
      if (!found.isDirectory()) {
        await unlink(entry)
        return `deleted \`${shown}\``
      }
      await rm(entry, { recursive: true })
      return `deleted the folder \`${shown}\` and its content`
    })
  },
})
