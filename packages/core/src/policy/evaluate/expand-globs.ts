import { matchesName } from '../../command/model/glob-pattern.ts'
import { answerOr } from '../../ports/maybe-promise.ts'
import type { TargetEntry, Targets } from '../../ports/targets.ts'
import { type GlobToExpand, weightOf } from '../../risk/path/glob-matches.ts'
import { folderOf } from '../../risk/path/paths-to-resolve.ts'
import type { Places } from '../model/circumstances.ts'

/** INVARIANT: L10, how far the words of one call are matched. Further matches count as the folder of the pattern. */
const LIMITS = { folders: 256, names: 1_000, matches: 1_000 } as const

/** A path that a pattern matches so far; `linked`: a link may be on the way. */
interface Match {
  readonly path: string
  readonly linked: boolean
}

type Access = Pick<Targets, 'resolve' | 'list'>

/** More matches of one word are not listed. */
const MOST_WORDS = 64

/** A word that the shell puts in the place of one with wildcards, and where it leads. */
export interface GlobWord {
  readonly word: string
  readonly real: string | null
}

/**
 * For each word with wildcards all words that the shell could put in its place; nothing for a word whose matches are too
 * many or can't all be listed. A set in brackets counts like `?`: what is in it depends on the locale.
 */
export async function expandWords(
  globs: readonly GlobToExpand[],
  context: { readonly cwd: string; readonly places: Places; readonly targets: Access },
): Promise<ReadonlyMap<string, readonly GlobWord[]>> {
  const found = new Map<string, readonly GlobWord[]>()
  const walk = new GlobWalk(context.targets, false)
  for (const { key, folder, names, cwd, prefix } of globs) {
    const at = folderOf(cwd, context.cwd, context.places.home)
    const start = await walk.real(folder, at)
    const patterns = names.map((name) => name.replace(/\[[^\]]*\]/g, '?'))
    const paths = start === null ? null : await walk.names(start, patterns)
    if (paths === null || paths.length > MOST_WORDS) continue
    const words: GlobWord[] = []
    for (const path of paths) words.push({ word: prefix + path, real: await walk.real(prefix + path, at) })
    found.set(key, words)
  }
  return found
}

/**
 * For each word with wildcards the match that matters most, by its real path; nothing for a word that only matches
 * ordinary files of the workspace. Folders that can't be listed are left out: what is found only raises a risk.
 */
export async function expandGlobs(
  globs: readonly GlobToExpand[],
  context: { readonly cwd: string; readonly dots: boolean; readonly places: Places; readonly targets: Access },
): Promise<ReadonlyMap<string, string>> {
  const worst = new Map<string, string>()
  const walk = new GlobWalk(context.targets, context.dots)
  for (const { key, folder, names, cwd } of globs) {
    const start = await walk.real(folder, folderOf(cwd, context.cwd, context.places.home))
    let heaviest = 0
    for (const path of start === null ? [] : await walk.expand(start, names)) {
      const weight = weightOf(path, context.places)
      if (weight <= heaviest) continue
      heaviest = weight
      worst.set(key, path)
    }
  }
  return worst
}

class GlobWalk {
  readonly #targets: Access
  readonly #dots: boolean
  readonly #lists = new Map<string, readonly TargetEntry[]>()

  constructor(targets: Access, dots: boolean) {
    this.#targets = targets
    this.#dots = dots
  }

  async real(path: string, cwd: string): Promise<string | null> {
    const real = await answerOr(() => this.#targets.resolve(path, cwd), null)
    return typeof real === 'string' ? real : null
  }

  /** The real paths of what a pattern matches below a folder. */
  async expand(start: string, names: readonly string[]): Promise<readonly string[]> {
    let found: Match[] = [{ path: start === '/' ? '' : start, linked: false }]
    for (const [at, name] of names.entries()) {
      const next: Match[] = []
      for (const { path, linked } of found) {
        for (const entry of await this.#list(path === '' ? '/' : path)) {
          const isFolder = entry.type === 'directory' || entry.type === 'link'
          if (!matchesName(entry.name, name, this.#dots) || (at < names.length - 1 && !isFolder)) continue
          if (next.length < LIMITS.matches)
            next.push({ path: `${path}/${entry.name}`, linked: linked || entry.type === 'link' })
        }
      }
      found = next
    }
    const real: string[] = []
    for (const { path, linked } of found) {
      const at = linked ? await this.real(path, '/') : path
      if (at !== null) real.push(at)
    }
    return real
  }

  /** The names below a folder that a pattern matches; null if a folder can't be listed whole. */
  async names(start: string, patterns: readonly string[]): Promise<readonly string[] | null> {
    let found = ['']
    for (const [at, pattern] of patterns.entries()) {
      const next: string[] = []
      for (const path of found) {
        const entries = await this.#list(path === '' ? start : `${start}/${path}`)
        if (entries.length === 0 || entries.length >= LIMITS.names) return null
        for (const { name, type } of entries) {
          const isFolder = type === 'directory' || type === 'link'
          // Which bytes make one character depends on the locale.
          if (name.includes('\ufffd')) return null
          const isOdd = !/^[\x20-\x7e]*$/.test(name)
          if (!(isOdd || matchesName(name, pattern, this.#dots)) || (at < patterns.length - 1 && !isFolder)) continue
          // A folder behind a link is followed by the shell.
          if (at < patterns.length - 1 && type === 'link') return null
          next.push(path === '' ? name : `${path}/${name}`)
        }
      }
      if (next.length > LIMITS.matches) return null
      found = next
    }
    return found
  }

  async #list(folder: string): Promise<readonly TargetEntry[]> {
    const known = this.#lists.get(folder)
    if (known !== undefined) return known
    if (this.#lists.size >= LIMITS.folders) return []
    const entries = await answerOr(() => this.#targets.list(folder, '/', LIMITS.names), undefined)
    const list = Array.isArray(entries) ? entries.filter((one) => typeof one?.name === 'string') : []
    this.#lists.set(folder, list)
    return list
  }
}
