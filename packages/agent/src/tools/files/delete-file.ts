import { rm, unlink } from 'node:fs/promises'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { shownPath, toolEntry } from '../definition/tool-path.ts'
import { entryOf } from './atomic-write.ts'

/** `delete_file`: a file, a link, or a folder with all it holds. */
export const deleteFileTool = defineTool({
  name: 'delete_file',
  description: 'Deletes a file, or a folder with everything in it. Of a link only the link goes.',
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
      return `deleted the folder \`${shown}\` and all it held`
    })
  },
})
