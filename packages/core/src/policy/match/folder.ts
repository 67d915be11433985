import type { Circumstances, Places } from '../model/circumstances.ts'
import type { Conditions, PolicySet } from '../model/rule.ts'
import { leadingPlace, relativeTo } from './glob.ts'
import { type Answer, NO, UNKNOWN, YES } from './three-valued-logic.ts'

/** A folder of a policy as a normalized absolute path, with places filled in. */
export function resolveFolder(folder: string, places: Places): string {
  const placed = leadingPlace(folder)
  if (placed) return fold(`${places[placed.place]}/${placed.rest}`)
  return fold(folder.startsWith('/') ? folder : `${places.workspace}/${folder}`)
}

type FolderPlaces = Pick<Circumstances, 'places' | 'folders'>

/** Folders of a policy, for comparison with real paths. */
export interface Folders {
  /** Whether a real path is in one of the folders, as written or after resolving links. */
  holds(real: string, circumstances: FolderPlaces): boolean
  /** Whether everything below a real folder is inside (yes), nothing (no), or perhaps some of it (unknown). */
  overlap(folder: string, circumstances: FolderPlaces): Answer
}

export function compileFolders(folders: readonly string[]): Folders {
  let known: FolderPlaces | null = null
  let found: readonly string[] = []

  function foldersOf(circumstances: FolderPlaces): readonly string[] {
    if (known?.places !== circumstances.places || known.folders !== circumstances.folders) {
      known = circumstances
      const spelled = folders.map((folder) => resolveFolder(folder, circumstances.places))
      const leads = spelled.flatMap((folder) => circumstances.folders?.get(folder)?.normalize('NFC') ?? [])
      found = [...new Set([...spelled, ...leads])]
    }
    return found
  }

  return {
    holds: (real, circumstances) => foldersOf(circumstances).some((folder) => relativeTo(folder, real) !== null),
    overlap(below, circumstances) {
      const all = foldersOf(circumstances)
      if (all.some((folder) => relativeTo(folder, below) !== null)) return YES
      return all.some((folder) => relativeTo(below, folder) !== null) ? UNKNOWN : NO
    },
  }
}

/**
 * All folders a policy names, as absolute paths. They are resolved into `circumstances.folders` when the policy is loaded, so
 * that a deny on `/var/run` also applies if that is a link to `/run`.
 */
export function policyFolders(set: PolicySet, places: Places): readonly string[] {
  const found = new Set<string>()
  const visit = (when: Conditions): void => {
    for (const folder of [...(when.path?.inside ?? []), ...(when.path?.outside ?? []), ...(when.command?.in ?? [])]) {
      found.add(resolveFolder(folder, places))
    }
    for (const inner of [...(when.any ?? []), ...(when.all ?? []), ...(when.not ? [when.not] : [])]) visit(inner)
  }
  for (const rule of set.rules) {
    visit(rule.when)
    if (rule.unless) visit(rule.unless)
    const { write = [], read = [] } = rule.contain || {}
    for (const folder of [...write, ...read]) found.add(resolveFolder(folder, places))
  }
  for (const folder of set.rating?.production?.flatMap((folders) => folders ?? []) ?? [])
    found.add(resolveFolder(folder, places))
  return [...found]
}

function fold(path: string): string {
  const kept: string[] = []
  for (const segment of path.normalize('NFC').split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}
