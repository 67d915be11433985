import type { Json } from '../call/json/json.ts'

/** JSON whose longer strings end in `[cut:<length>]` after `kept` characters. */
export function cutStrings(value: Json, kept: number): Json {
  if (typeof value === 'string') return cutText(value, kept)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => cutStrings(item, kept))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cutText(key, kept), cutStrings(item, kept)]))
}

/** Text of at most `kept` characters and a note of its full length. Never splits a surrogate pair. */
export function cutText(text: string, kept: number): string {
  if (text.length <= kept) return text
  const last = text.charCodeAt(kept - 1)
  const end = last >= 0xd800 && last < 0xdc00 ? kept - 1 : kept
  return `${text.slice(0, end)}[cut:${text.length}]`
}
