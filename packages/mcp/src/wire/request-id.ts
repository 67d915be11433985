import type { RawId } from './message.ts'

/**
 * One name for every spelling of the same id: `1`, `1.0` and `1e0` are one, `"1"` is another. Numbers that lose digits
 * when a program reads them keep their spelling.
 */
export function idKey(raw: RawId): string {
  if (raw.startsWith('"')) {
    if (!raw.includes('\\')) return raw
    try {
      return JSON.stringify(JSON.parse(raw))
    } catch {
      return raw
    }
  }
  const number = Number(raw)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? raw : String(number)
}
