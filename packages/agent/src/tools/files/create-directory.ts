import { mkdir } from 'node:fs/promises'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile } from '../definition/tool-failure.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'
import { entryOf } from './atomic-write.ts'

/** `create_directory`: a folder and those above it. */
export const createDirectoryTool = defineTool({
  name: 'create_directory',
  description: 'Makes a folder, and the folders above it where they are missing.',
  input: z.strictObject({ path: z.string().min(1).describe('The folder, from the workspace.') }),
  async run({ path }, { workspace }) {
    const real = toolPath(path, workspace)
    const shown = shownPath(real, workspace)
    return onFile(shown, async () => {
      if ((await entryOf(real))?.isDirectory() === true) return `\`${shown}\` is there already`
      await mkdir(real, { recursive: true })
      return `created the folder \`${shown}\``
    })
  },
})
