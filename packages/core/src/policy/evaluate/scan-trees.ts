import { answerOr } from '../../ports/maybe-promise.ts'
import type { TargetEntry, Targets } from '../../ports/targets.ts'
import { isInside, isPublicHalf, placeOf } from '../../risk/path/category.ts'
import { folderOf } from '../../risk/path/paths-to-resolve.ts'
import { isLeftOut, type TreeToScan } from '../../risk/path/trees-read.ts'
import type { Places } from '../model/circumstances.ts'

/** INVARIANT: L10, how much of all folders of one call is scanned. What has more counts as unknown. */
const LIMITS = { trees: 16, folders: 2_000, names: 4_000, files: 20_000 } as const

interface Context {
  readonly cwd: string
  readonly places: Places
  readonly targets: Pick<Targets, 'resolve' | 'list' | 'facts'>
}

/**
 * For each folder that a command reads whole: null if all files below it are ordinary files of the workspace, else the
 * first that is not. A folder that could not be scanned to its end is missing.
 */
export async function scanTrees(
  trees: readonly TreeToScan[],
  context: Context,
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>()
  const scan = new TreeScan(context)
  for (const tree of trees.slice(0, LIMITS.trees)) {
    if (found.has(tree.key)) continue
    const worst = await scan.worstIn(tree)
    if (worst !== undefined) found.set(tree.key, worst)
  }
  return found
}

class TreeScan {
  readonly #context: Context
  #folders = 0
  #files = 0

  constructor(context: Context) {
    this.#context = context
  }

  /** The first file that matters, null without one, undefined if a limit or an error stopped the scan. */
  async worstIn(tree: TreeToScan): Promise<string | null | undefined> {
    const { cwd, places } = this.#context
    const root = await this.#real(tree.folder, folderOf(tree.cwd, cwd, places.home))
    if (root === null) return undefined
    if (this.#matters(root)) return root
    const folders = [root]
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const entries = await this.#list(folder)
      // A file can't be listed. Its own path was rated.
      if (entries === undefined) return folder === root && (await this.#isNoFolder(root)) ? null : undefined
      for (const { name, type } of entries) {
        if (isLeftOut(name, type === 'directory', tree) && type !== 'link') continue
        const path = `${folder}/${name}`
        if (type === 'directory') folders.push(path)
        if (type === 'link' && tree.follows && !(await this.#leadsInto(path, root))) return path
        if (type !== 'link' && this.#matters(path)) return path
      }
    }
    return null
  }

  async #real(path: string, cwd: string): Promise<string | null> {
    const real = await answerOr(() => this.#context.targets.resolve(path, cwd), null)
    return typeof real === 'string' ? real : null
  }

  async #isNoFolder(path: string): Promise<boolean> {
    const facts = await answerOr(() => this.#context.targets.facts(path, '/'), undefined)
    return facts?.type === 'file' || facts?.type === 'absent'
  }

  /** Whether what a link leads to is scanned as well. */
  async #leadsInto(link: string, root: string): Promise<boolean> {
    const real = await this.#real(link, '/')
    return real !== null && isInside(real, root) && !this.#matters(real)
  }

  #matters(path: string): boolean {
    const { places } = this.#context
    const place = placeOf(path, places)
    if (place === 'gate' || (place === 'credentials' && !isPublicHalf(path))) return true
    return place !== 'system' && place !== 'regenerable' && !isInside(path, places.workspace)
  }

  async #list(folder: string): Promise<readonly TargetEntry[] | undefined> {
    this.#folders += 1
    if (this.#folders > LIMITS.folders) return undefined
    const entries = await answerOr(() => this.#context.targets.list(folder, '/', LIMITS.names), undefined)
    if (!Array.isArray(entries)) return undefined
    this.#files += entries.length
    return this.#files > LIMITS.files ? undefined : entries
  }
}
