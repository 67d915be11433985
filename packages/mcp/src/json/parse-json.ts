import type { Json } from '@countersign/core'

/** `JSON.parse`, with undefined for invalid text. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
