import type { Key } from './key.ts'

/** A text being typed, after one more key; undefined when the key is none that edits. What is longer than `longest` is left out. */
export function editText(text: string, key: Key, longest: number): string | undefined {
  switch (key.kind) {
    case 'text':
      return `${text}${key.text}`.slice(0, longest)
    case 'backspace':
      return Array.from(text).slice(0, -1).join('')
    case 'clear':
      return ''
    default:
      return undefined
  }
}

const LONGEST = 2_000

/** What is pasted into a field is typed there, in one line; Enter in it is no Enter. */
export function spellPastes(keys: readonly Key[]): readonly Key[] {
  return keys.flatMap((key): readonly Key[] => {
    if (key.kind !== 'paste') return [key]
    const line = key.text
      .slice(0, LONGEST)
      .toWellFormed()
      .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    return Array.from(line, (text) => ({ kind: 'text', text }))
  })
}
