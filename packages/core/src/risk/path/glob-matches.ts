import type { CommandPart } from '../../command/model/decomposition.ts'
import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import { isLikelySecret, isPublicHalf, type Place, type Places, placeOf } from './category.ts'
import { spelledPaths } from './command-paths.ts'
import { pathKey } from './paths-to-resolve.ts'

/** A word with wildcards, to be matched against the file system. */
export interface GlobToExpand {
  /** Of the word, as `pathKey`. */
  readonly key: string
  /** The folder before the first wildcard, as spelled, and the names after it, as patterns. */
  readonly folder: string
  readonly names: readonly string[]
  /** The word as written, up to those names. */
  readonly prefix: string
  readonly cwd: string
}

/** INVARIANT: L10, more words of one call are not expanded, nor longer ones. */
const MOST = { globs: 16, names: 12, letters: 1_024 } as const

const EXTENDED = /[@!+?*]\([^()/]*\)/g
const CLASSES = /\[(?:\[:\w+:\]|[^\]/])*\[:\w+:\](?:\[:\w+:\]|[^\]/])*\]/g

/** The words of a command that the shell replaces with the files they match. */
export function globsToExpand(parts: readonly CommandPart[], own?: OwnKnowledge): readonly GlobToExpand[] {
  const globs = new Map<string, GlobToExpand>()
  for (const part of parts) {
    const { cwd } = part
    if (cwd === null || !hasGlob(part)) continue
    for (const { given, lookup, glob } of spelledPaths(part, own)) {
      if (!glob || lookup === null || given.length > MOST.letters || /[$`{]/.test(given)) continue
      const below = lookup === '.' && !given.startsWith('./') ? given : given.slice(lookup.length)
      const names = namesOf(below.replace(EXTENDED, '*').replace(CLASSES, '?'))
      const key = pathKey(given, cwd)
      if (names.length === 0 || names.length > MOST.names || names.includes('..')) continue
      if (globs.size < MOST.globs) globs.set(key, { key, folder: lookup, names, prefix: prefixOf(given), cwd })
    }
  }
  return [...globs.values()]
}

function prefixOf(given: string): string {
  return given.slice(0, given.lastIndexOf('/', given.search(/[*?[]/)) + 1)
}

function hasGlob({ args, redirections }: CommandPart): boolean {
  return args.some(({ glob }) => glob) || redirections.some(({ glob }) => glob === true)
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

/** Whether a command makes wildcards match names that start with a dot. */
export function matchesDots(parts: readonly CommandPart[]): boolean {
  return parts.some(
    (part) => /^(?:shopt|setopt|bash|zsh|set)$/.test(part.program ?? '') && /dot_?glob/i.test(part.text),
  )
}

/** The places a match may lead to, the worst first. Other places are rated as the folder of the pattern. */
const WORST: readonly Place[] = ['gate', 'credentials', 'device', 'startup', 'system', 'home', 'elsewhere']

/** How much a place matters; 0 for one in the workspace without special meaning. */
export function weightOf(path: string, places: Places): number {
  const place = placeOf(path, places)
  const at = WORST.indexOf(place)
  if (at === -1) return 0
  // The public half of a key pair, and files that only may contain secrets.
  if (place === 'credentials' && isPublicHalf(path)) return 1
  return place === 'credentials' && isLikelySecret(path) ? WORST.length - 0.5 : WORST.length + 1 - at
}
