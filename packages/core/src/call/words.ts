import { foldLookAlikes } from './look-alike-name.ts'

const MAX_REMEMBERED = 2000
const remembered = new Map<string, readonly string[]>()
const plain = new Map<string, string>()

/** Splits a name into lower-case words: `getAndDelete_all`, `HTTPGet-v2` and `fs.read` alike. Past 256 characters it is no name. */
export function nameWords(name: string): readonly string[] {
  if (name.length > 256) return []
  const known = remembered.get(name)
  if (known !== undefined) return known
  const words = split(name)
  // The same few argument names come with every call; the bound keeps a flood of odd ones from growing this.
  if (name.length <= 64) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(name, words)
  }
  return words
}

/** A name without its case and separators, to compare spellings: `saveAs`, `save_as` and `save-as` alike. */
export function plainKey(key: string): string {
  const known = plain.get(key)
  if (known !== undefined) return known
  const made = key.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (key.length <= 64) {
    if (plain.size >= MAX_REMEMBERED) plain.clear()
    plain.set(key, made)
  }
  return made
}

function split(name: string): readonly string[] {
  return foldLookAlikes(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
}
