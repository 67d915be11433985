import { inEnglish } from './foreign-words.ts'
import { foldLookAlikes } from './lookalikes.ts'
import { byName } from './name-cache.ts'

/** As many names and values as one call may have: each is needed several times and split once. */
const MAX_IN_A_CALL = 20_000

/** Splits a name into lower-case words: `getAndDelete_all`, `HTTPGet-v2` and `fs.read` alike. A longer text than 256 characters has none. */
export const nameWords: (name: string) => readonly string[] = byName(
  (name) => (name.length > 256 ? [] : split(name)),
  MAX_IN_A_CALL,
)

/** A name in lower case without separators, to compare spellings: `saveAs`, `save_as` and `save-as` alike. */
export const plainKey: (key: string) => string = byName(
  (key) => key.toLowerCase().replace(/[^a-z0-9]/g, ''),
  MAX_IN_A_CALL,
)

/** The letters of a name in lower case: `dry_run`, `dryRun` and `--dry-run` alike. */
export function letterKey(key: string): string {
  return key.toLowerCase().replace(/[^a-z]/g, '')
}

function split(name: string): readonly string[] {
  return foldLookAlikes(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')
    .flatMap(inEnglish)
}
