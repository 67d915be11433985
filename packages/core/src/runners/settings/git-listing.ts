import type { Inside } from '../../command/model/decomposition.ts'
import type { ProjectReader } from '../reading/project-reader.ts'
import { isComplete } from './git-changes.ts'
import type { Repository } from './git-repository.ts'
import type { GitWords } from './git-words.ts'

/** INVARIANT: L10, more files are not followed. */
const MOST = 200
/** A pattern without the long forms of git, such as `:(glob)`. */
const PATTERN = /^(?!-)[\w./*?@%+,=-]+$/
/** A name that git prints as it is, that the shell neither splits nor expands, and that is no option. */
const NAME = /^(?!-)[\w./@%+,=-]+$/

/** The files that `git ls-files '*.js'` lists; null for other uses of git, and for names that are more than plain words. */
export async function gitListing(
  { verb, rest, folder, repository }: GitWords,
  { top, ...found }: Repository,
  reader: ProjectReader,
): Promise<Inside['listed'] | null> {
  if (verb !== 'ls-files' || repository !== null) return null
  const dashes = rest.findIndex(({ value }) => value === '--')
  const isOption = (value: string | null, at: number) =>
    (value === '--cached' || value === '-c' || value === '--') && (dashes === -1 || at <= dashes)
  const patterns = rest.flatMap(({ value }, at) => (isOption(value, at) ? [] : [value]))
  if (rest.some(({ glob }) => glob) || (await reader.resolve('.', folder)) !== top) return null
  const plain = patterns.filter((one): one is string => one !== null && PATTERN.test(one))
  if (plain.length < patterns.length || !(await isComplete({ top, ...found }, reader))) return null
  // What is added to the index meanwhile is not judged.
  if (!(await reader.bind(`${found.own}/index`))) return null
  const names = await reader.tracked(top, plain)
  if (names === null || names.length > MOST || !names.every((name) => NAME.test(name))) return null
  const listed: { word: string; real: string }[] = []
  for (const word of names) {
    const real = await reader.resolve(word, top)
    if (real === null) return null
    listed.push({ word, real })
  }
  return listed
}
