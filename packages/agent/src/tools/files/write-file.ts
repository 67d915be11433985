import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { shownPath, toolPath } from '../definition/tool-path.ts'
import { entryOf, replaceFile } from './atomic-write.ts'
import { readText, refuseLarge } from './text-file.ts'

/** `write_file`: the whole content of a file. */
export const writeFileTool = defineTool({
  name: 'write_file',
  description:
    'Writes a complete file: creates it with its parent folders, or replaces its content. For small changes use edit_file.',
  input: z.strictObject({
    path: z.string().min(1).describe('The file, from the workspace.'),
    content: z.string().describe('The complete new content.'),
  }),
  async run({ path, content }, run) {
    const real = toolPath(path, run)
    const shown = shownPath(real, run.workspace)
    refuseLarge(Buffer.byteLength(content), shown)
    const before = await onFile(shown, () => entryOf(real))
    await replaceFile(real, content, before, shown)
    return `${before === null ? 'created' : 'replaced'} \`${shown}\` (${Buffer.byteLength(content)} bytes)`
  },
})

/** `edit_file`: replaces one exact text. */
export const editFileTool = defineTool({
  name: 'edit_file',
  description:
    'Replaces old_string with new_string in a file. old_string must match exactly and occur once, unless replace_all is true.',
  input: z.strictObject({
    path: z.string().min(1).describe('The file, from the workspace.'),
    old_string: z.string().min(1).describe('The text to replace, with enough context to be unique.'),
    new_string: z.string(),
    replace_all: z.boolean().optional().describe('Replace every occurrence.'),
  }),
  async run({ path, old_string: old, new_string: now, replace_all: all = false }, run) {
    const real = toolPath(path, run)
    const shown = shownPath(real, run.workspace)
    const file = await onFile(shown, () => readText(real, shown))
    if (file.kind === 'binary') throw toolFailure(`\`${shown}\` is a binary file; edit_file changes text only`)
    const { text, places } = editedText(file.text, { old, now, all }, shown)
    await replaceFile(real, text, file.stats, shown)
    return `edited \`${shown}\` (${places === 1 ? 'one place' : `${places} places`})`
  },
})

/** The text after one exact replacement, which must match once unless `all`. */
export function editedText(
  text: string,
  { old, now, all }: { readonly old: string; readonly now: string; readonly all: boolean },
  shown: string,
): { readonly text: string; readonly places: number } {
  const places = countPlaces(text, old)
  if (places === 0) throw toolFailure(`old_string is not in \`${shown}\`; read the file and copy the text exactly`)
  if (places > 1 && !all)
    throw toolFailure(`old_string occurs ${places} times in \`${shown}\`; add surrounding text, or set replace_all`)
  // Before the text is built: many places can make a short replacement a very long text.
  refuseLarge(Buffer.byteLength(text) + places * (Buffer.byteLength(now) - Buffer.byteLength(old)), shown)
  return { text: text.replaceAll(old, () => now), places }
}

function countPlaces(text: string, old: string): number {
  let places = 0
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places += 1
  return places
}
