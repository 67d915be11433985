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
