import { decodeBase64 } from '../../call/base64.ts'
import type { JsonObject } from '../../call/json/json.ts'

/** Arguments that hold the text of a file. */
export const CONTENT = ['content', 'contents', 'file_text', 'fileText', 'text', 'new_content', 'newContent']
/** Arguments that hold it in base64. */
export const ENCODED = ['content_base64', 'contentBase64', 'base64', 'data_base64', 'blob']
const ENCODINGS = ['encoding', 'content_encoding', 'contentEncoding', 'format']
const FLAGS = ['is_base64', 'isBase64', 'base64_encoded', 'base64Encoded']

/** The new content of a file: plain text, or decoded base64. */
export type NewContent =
  | { readonly kind: 'text'; readonly text: string; readonly notes: readonly string[] }
  | { readonly kind: 'bytes'; readonly bytes: number; readonly notes: readonly string[] }

/** The whole new content in the arguments; undefined when there is none, or it cannot be decoded. */
export function newContent(args: JsonObject): NewContent | undefined {
  const encoded = textOf(args, ENCODED)
  const plain = textOf(args, CONTENT)
  if (encoded !== undefined) return plain === undefined ? decoded(encoded) : undefined
  if (plain === undefined) return undefined
  return isEncoded(args) ? decoded(plain) : { kind: 'text', text: plain, notes: [] }
}

/** The first of some arguments that is a text. */
export function textOf(args: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

function isEncoded(args: JsonObject): boolean {
  return FLAGS.some((name) => args[name] === true) || ENCODINGS.some((name) => args[name] === 'base64')
}

function decoded(base64: string): NewContent | undefined {
  const raw = decodeBase64(base64.replaceAll('\r', ''))
  if (raw === null) return undefined
  const notes = ['the content is base64-encoded']
  const bytes = Uint8Array.from(raw, (character) => character.charCodeAt(0))
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (!text.includes('\0')) return { kind: 'text', text, notes }
  } catch {
    // Not text: only its size is shown.
  }
  return { kind: 'bytes', bytes: bytes.length, notes }
}
