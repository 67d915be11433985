import * as z from 'zod'
import { CheckedFiles, jsonLiteral } from './checked-file.ts'
import type { Compiled, Domain, KnowledgeFile } from './knowledge-file.ts'

const letter = z.string().refine((text) => [...text].length === 1, { message: 'must be a single character' })
const letters = z.array(letter).min(1)
const ranges = z.array(z.string().regex(/^U\+[0-9A-F]{4,6}(?:-U\+[0-9A-F]{4,6})?$/, 'must be U+XXXX or U+XXXX-U+XXXX'))

const SCHEMA = z.strictObject({
  scripts: z.array(z.strictObject({ name: z.string(), alone: z.number().int().min(1), lookalikes: letters })),
  rare_scripts: z.array(z.string()),
  other_letters: letters,
  latin_letters: letters,
  disguised: ranges,
  full_width: ranges,
  punctuation: ranges,
})

/** `knowledge/display`: characters that surfaces mark. */
export const DISPLAY: Domain = { folder: 'display', compile }

function compile(files: readonly KnowledgeFile[]): Compiled {
  const checked = new CheckedFiles('display', files)
  const found = checked.read('lookalikes', SCHEMA)
  checked.reportUnread()
  const knowledge = found && {
    ...found,
    scripts: found.scripts.map(({ name, lookalikes, alone }) => ({ name, lookalikes: lookalikes.join(''), alone })),
    other_letters: found.other_letters.join(''),
    latin_letters: found.latin_letters.join(''),
    disguised: characterClass(found.disguised),
    full_width: characterClass(found.full_width),
    punctuation: characterClass(found.punctuation),
  }
  const text = `/** \`Lookalikes\` as JSON. */\nexport const LOOKALIKES = ${jsonLiteral(knowledge ?? {})}\n`
  return { text, problems: checked.problems }
}

/** `U+FF10-U+FF19` as part of a character class: `\uff10-\uff19`. */
function characterClass(list: readonly string[]): string {
  return list.join('').replace(/U\+([0-9A-F]+)/g, (_, digits: string) => {
    const hex = digits.toLowerCase()
    return hex.length === 4 ? `\\u${hex}` : `\\u{${hex}}`
  })
}
