import { lstat, readdir, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sizeWords } from '@countersign/core'
import { copyTree, type HeldEntry, inHeldFolder, inside, makeFolders, removeTree, whileHeld } from '@countersign/node'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { shownPath, type ToolPlace, toolEntry, toolPath } from '../definition/tool-path.ts'
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
  async run({ source, destination }, run) {
    const { workspace } = run
    const { from, to } = await moveEnds(source, destination, run)
    const [shownFrom, shownTo] = [shownPath(from, workspace), shownPath(to, workspace)]
    if ((await onFile(shownFrom, () => entryOf(from))) === null) throw toolFailure(`\`${shownFrom}\` does not exist`)
    if (from === to) throw toolFailure(`\`${shownFrom}\` is already at the destination`)
    await onFile(shownTo, () =>
      inHeldFolder(dirname(from), (source) =>
        whileHeld(makeFolders(dirname(to)), (target) =>
          move({ folder: source, name: basename(from), path: from }, { folder: target, name: basename(to), path: to }),
        ),
      ),
    )
    return `moved \`${shownFrom}\` to \`${shownTo}\``
  },
})

/** The source and the final path: inside, when a folder was named. */
export async function moveEnds(
  source: string,
  destination: string,
  place: ToolPlace,
): Promise<{ readonly from: string; readonly to: string }> {
  const from = toolEntry(source, place)
  const real = toolPath(destination, place)
  const found = await onFile(destination, () => entryOf(real))
  const isInside = found?.isDirectory() === true && real !== from
  return { from, to: isInside ? join(real, basename(from)) : toolEntry(destination, place) }
}

/** Across disks: copy everything, then remove. */
async function move(from: HeldEntry, to: HeldEntry): Promise<void> {
  await rename(inside(from.folder, from.name), inside(to.folder, to.name)).catch(
    async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EXDEV') throw error
      await refuseLargeTree(from.path)
      await copyTree(from, to)
      await removeTree(from)
    },
  )
}

/** INVARIANT: L10, a move within a disk is one step; across disks it copies, so its size is limited. */
export async function refuseLargeTree(root: string, most = MOST_COPIED): Promise<void> {
  let [entries, bytes] = [0, 0]
  const waiting = [root]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const at = path
    const found = await lstat(at)
    entries += 1
    bytes += found.isFile() ? found.size : 0
    if (entries > most.entries || bytes > most.bytes)
      throw toolFailure(
        `it is on another disk and has more than ${most.entries} entries or ${sizeWords(most.bytes)}; move it in parts`,
      )
    if (found.isDirectory()) for (const name of await readdir(at)) waiting.push(join(at, name))
  }
}

const MOST_COPIED = { entries: 10_000, bytes: 256 * 1024 * 1024 }

/** `delete_file`: a file, a link, or a folder with its content. */
export const deleteFileTool = defineTool({
  name: 'delete_file',
  description: 'Deletes a file, or a folder with its content. For a link, only the link is deleted.',
  input: z.strictObject({ path: z.string().min(1).describe('What to delete, from the workspace.') }),
  async run({ path }, run) {
    const entry = toolEntry(path, run)
    const shown = shownPath(entry, run.workspace)
    return onFile(shown, async () => {
      const found = await entryOf(entry)
      if (found === null) throw toolFailure(`\`${shown}\` does not exist`)
      await inHeldFolder(dirname(entry), (folder) => removeTree({ folder, name: basename(entry), path: entry }))
      return found.isDirectory() ? `deleted the folder \`${shown}\` and its content` : `deleted \`${shown}\``
    })
  },
})
