import type { Key } from './key.ts'

/** Applies a key to a text field; undefined if the key does not edit. Text beyond `longest` is dropped. */
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

/** Turns pastes into typed text on one line; a line break in a paste is not Enter. */
export function expandPastes(keys: readonly Key[]): readonly Key[] {
  return keys.flatMap((key): readonly Key[] => {
    if (key.kind !== 'paste') return [key]
    const line = key.text
      .slice(0, LONGEST)
      .toWellFormed()
      .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    return Array.from(line, (text) => ({ kind: 'text', text }))
  })
}
