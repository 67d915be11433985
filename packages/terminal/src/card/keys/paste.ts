import type { Key } from './key.ts'

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
