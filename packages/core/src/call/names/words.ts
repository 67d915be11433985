import { foldLookAlikes } from './lookalikes.ts'
import { byName } from './name-cache.ts'

/** As many as one call may have, names and values: each is looked at from many sides, and is taken apart once. */
const MOST_IN_A_CALL = 20_000

/** Splits a name into lower-case words: `getAndDelete_all`, `HTTPGet-v2` and `fs.read` alike. Past 256 characters it is no name. */
export const nameWords: (name: string) => readonly string[] = byName(
  (name) => (name.length > 256 ? [] : split(name)),
  MOST_IN_A_CALL,
)

/** A name without its case and separators, to compare spellings: `saveAs`, `save_as` and `save-as` alike. */
export const plainKey: (key: string) => string = byName(
  (key) => key.toLowerCase().replace(/[^a-z0-9]/g, ''),
  MOST_IN_A_CALL,
)

function split(name: string): readonly string[] {
  return foldLookAlikes(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
}
