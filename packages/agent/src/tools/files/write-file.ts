import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile } from '../definition/tool-failure.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'
import { entryOf, replaceFile } from './atomic-write.ts'

/** `write_file`: the whole content of a file. */
export const writeFileTool = defineTool({
  name: 'write_file',
  description:
    'Writes a whole file: makes it, with its folders, or replaces what it holds. For small changes use edit_file.',
  input: z.strictObject({
    path: z.string().min(1).describe('The file, from the workspace.'),
    content: z.string().describe('All of its new content.'),
  }),
  async run({ path, content }, { workspace }) {
    const real = toolPath(path, workspace)
    const shown = shownPath(real, workspace)
    const before = await onFile(shown, () => entryOf(real))
    await replaceFile(real, content, before, shown)
    return `${before === null ? 'created' : 'replaced'} \`${shown}\` (${Buffer.byteLength(content)} bytes)`
  },
})
