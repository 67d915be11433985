import { type Json, type JsonSpan, jsonSpans, jsonText, safeJson, safeLines } from '@countersign/core'
import type { Style } from './color.ts'
import type { Paragraph } from './rows.ts'

/** As for code: red and green are reserved for diffs. */
const STYLES: Readonly<Record<JsonSpan['kind'], Style>> = {
  key: 'blue',
  text: 'yellow',
  number: 'cyan',
  word: 'magenta',
}

/** Indented JSON with colored keys and values. */
export function jsonLines(value: Json): readonly Paragraph[] {
  return safeJson(value).map((text) => ({
    text,
    spans: jsonSpans(text).map(({ kind, start, end }) => ({ start, end, styles: [STYLES[kind]] })),
  }))
}

/** A text line by line, anything else as JSON, also a text of JSON. */
export function valueLines(value: Json): readonly Paragraph[] {
  if (typeof value !== 'string') return jsonLines(value)
  const read = jsonText(value)
  return read === undefined ? safeLines(value).map((text) => ({ text })) : jsonLines(read)
}
