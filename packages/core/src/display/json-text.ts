import type { Json } from '../call/json/json.ts'

const LONGEST = 262_144
const STRING_OR_SPACE = /("(?:[^"\\]|\\.)*")|[ \t\r\n]+/g

/**
 * The object or list that a text is JSON of; undefined for any other text. INVARIANT: L5, only a text that differs from the
 * formatted value in nothing but white space: a name given twice or a long number would be shown otherwise than it is.
 *
 * @example
 * jsonText('{"title": "Release"}') // { title: 'Release' }
 * jsonText('[1, 1.0]') // undefined
 */
export function jsonText(text: string): Json | undefined {
  if (!/^\s*[{[]/.test(text) || text.length > LONGEST) return undefined
  try {
    const value = JSON.parse(text) as Json
    return JSON.stringify(value) === text.replace(STRING_OR_SPACE, '$1') ? value : undefined
  } catch {
    return undefined
  }
}
