import { isJsonObject, type JsonObject } from '@countersign/core'

/** An agent's last words and thoughts before a call. */
export interface LastWords {
  readonly said: string | null
  readonly reasoning: string | null
}

/** What one line of a conversation is: the agent's words, the person's next prompt, or nothing of interest. */
export type Line = { readonly said?: unknown; readonly reasoning?: unknown } | 'prompt' | null

/** INVARIANT: L10, how much of the agent's words is read. */
const MOST = 4_000

export const NO_WORDS: LastWords = Object.freeze({ said: null, reasoning: null })

/** The last words in a file with one JSON object per line, which may start in the middle of a line. Never throws. */
export function lastWordsOf(text: string, lineOf: (line: JsonObject) => Line): LastWords {
  let words = NO_WORDS
  for (const line of text.split('\n').reverse()) {
    const found = lineOf(parsed(line) ?? {})
    // Text before the person's last prompt is about something else.
    if (found === 'prompt') break
    words = { said: words.said ?? wordsIn(found?.said), reasoning: words.reasoning ?? wordsIn(found?.reasoning) }
    if (words.said !== null && words.reasoning !== null) break
  }
  return words
}

/** The parts of a message that have one of these types, by the field of the same name or `text`. */
export function partsOf(content: unknown, ...types: readonly string[]): string | null {
  if (!Array.isArray(content)) return null
  const parts = content.filter((part) => isJsonObject(part) && types.includes(String(part['type'])))
  const texts = parts.map((part) => part.thinking ?? part.text).filter((part) => typeof part === 'string')
  return texts.length === 0 ? null : texts.join('\n')
}

function wordsIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const words = value.slice(-MOST).toWellFormed().trim()
  return words === '' ? null : words
}

function parsed(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}
