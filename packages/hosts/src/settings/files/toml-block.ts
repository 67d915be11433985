import { CountersignError, isJsonObject, type JsonObject } from '@countersign/core'
import { parse } from 'smol-toml'

/** What a marked block holds: hooks, or a person's trust in them. */
export type BlockUse = 'hooks' | 'trust'

const MARKS: { readonly [use in BlockUse]: readonly [begin: string, end: string] } = {
  hooks: ['# countersign init: begin', '# countersign init: end'],
  trust: ['# countersign init: trust begin', '# countersign init: trust end'],
}

/** Parses TOML; a reason when it can't be parsed. */
export function readToml(text: string): JsonObject | string {
  try {
    const data: unknown = JSON.parse(JSON.stringify(parse(text.replace(/^\ufeff/, ''))))
    return isJsonObject(data) ? data : 'it is not a TOML table'
  } catch {
    return 'it is not valid TOML'
  }
}

/** The text with these lines as its marked block: in the place of an earlier block, or at the end. */
export function withBlock(text: string, lines: readonly string[], name: string, use: BlockUse): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const [begin, end] = MARKS[use]
  const block = [begin, ...lines, end, ''].join(eol)
  const found = findBlock(text, name, use)
  if (found !== undefined) return text.slice(0, found.start) + block + text.slice(found.end)
  if (text.replace(/^\ufeff/, '') === '') return text + block
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${block}`
}

/** The text without the marked block and the blank line above it. */
export function withoutBlock(text: string, name: string, use: BlockUse): string {
  const found = findBlock(text, name, use)
  if (found === undefined) return text
  return text.slice(0, found.start).replace(/(\r?\n)\r?\n$/, '$1') + text.slice(found.end)
}

/** Throws CS_CLIENT_CONFIG if one of the marks is missing or appears twice. */
function findBlock(
  text: string,
  name: string,
  use: BlockUse,
): { readonly start: number; readonly end: number } | undefined {
  const [begin, close] = MARKS[use]
  const begins = placesOf(text, begin)
  const ends = placesOf(text, close)
  const [start] = begins
  const [end] = ends
  if (start === undefined && end === undefined) return undefined
  if (start === undefined || end === undefined || begins.length > 1 || ends.length > 1 || end < start)
    throw new CountersignError(
      'CS_CLIENT_CONFIG',
      `\`${name}\` was not changed: the lines \`${begin}\` and \`${close}\` don't match; remove them and what is between them`,
    )
  const lineEnd = text.indexOf('\n', end)
  return { start, end: lineEnd === -1 ? text.length : lineEnd + 1 }
}

function placesOf(text: string, line: string): readonly number[] {
  return [...text.matchAll(/^.*$/gm)].filter(([found]) => found.replace(/\r$/, '') === line).map(({ index }) => index)
}
