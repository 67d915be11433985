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
