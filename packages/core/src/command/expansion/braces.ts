import { CAPS } from '../model/limits.ts'

/** The words of a brace expansion such as `{a,b}` or `{1..3}`; null when they are unknown. */
export function expandBraces(text: string): readonly string[] | null {
  if (/['"\\$`<>]/.test(text) || text.length > 1024) return null
  const words = alternatives(text, 0)
  return words !== null && words.length <= CAPS.braces ? words : null
}

function alternatives(text: string, level: number): string[] | null {
  if (level > 8) return null
  const open = text.indexOf('{')
  if (open === -1) return [text]
  const items: string[] = []
  let depth = 0
  let start = open + 1
  for (let at = open; at < text.length; at++) {
    const char = text[at]
    if (char === '{') depth++
    else if (char === ',' && depth === 1) {
      items.push(text.slice(start, at))
      start = at + 1
    } else if (char === '}') {
      depth--
      if (depth === 0) {
        items.push(text.slice(start, at))
        return combine(text.slice(0, open), items, text.slice(at + 1), level)
      }
    }
  }
  return null
}

function combine(before: string, items: readonly string[], after: string, level: number): string[] | null {
  const middles = items.length === 1 ? sequence(items[0] ?? '') : flatten(items, level)
  const rests = alternatives(after, level + 1)
  if (middles === null || rests === null || middles.length * rests.length > CAPS.braces) return null
  return middles.flatMap((middle) => rests.map((rest) => before + middle + rest))
}

function flatten(items: readonly string[], level: number): string[] | null {
  const words: string[] = []
  for (const item of items) {
    const inner = alternatives(item, level + 1)
    if (inner === null) return null
    words.push(...inner)
    if (words.length > CAPS.braces) return null
  }
  return words
}

function sequence(text: string): string[] | null {
  const numbers = /^(-?\d{1,6})\.\.(-?\d{1,6})$/.exec(text)
  if (numbers === null) return null
  const from = Number(numbers[1])
  const to = Number(numbers[2])
  if (Math.abs(to - from) >= CAPS.braces) return null
  const step = to >= from ? 1 : -1
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + index * step))
}
