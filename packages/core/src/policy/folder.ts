import type { Circumstances, Places } from './circumstances.ts'
import { leadingPlace, relativeTo } from './glob.ts'
import type { Conditions, PolicySet } from './rule.ts'

/** A folder of a policy as an absolute path: places filled in, `.`, `..` and doubled slashes folded. */
export function resolveFolder(folder: string, places: Places): string {
  const placed = leadingPlace(folder)
  if (placed) return fold(`${places[placed.place]}/${placed.rest}`)
  return fold(folder.startsWith('/') ? folder : `${places.workspace}/${folder}`)
}

/** Answers whether a real path is one of the folders or below it, as spelled or as the spelling really leads. */
export function compileFolders(folders: readonly string[]): (real: string, circumstances: Circumstances) => boolean {
  let known: Places | null = null
  let spelled: readonly string[] = []
  return (real, circumstances) => {
    if (known !== circumstances.places) {
      known = circumstances.places
      spelled = folders.map((folder) => resolveFolder(folder, circumstances.places))
    }
    return spelled.some((folder) => {
      if (relativeTo(folder, real) !== null) return true
      const leads = circumstances.resolved.get(folder)
      return leads !== undefined && relativeTo(leads.normalize('NFC'), real) !== null
    })
  }
}

/**
 * Every folder the policy names, absolute. A port resolves these into `circumstances.resolved` too, so that a deny on
 * `/var/run` still holds where that is a link to `/run`.
 */
export function policyFolders(set: PolicySet, places: Places): readonly string[] {
  const found = new Set<string>()
  const visit = (when: Conditions): void => {
    for (const folder of [...(when.path?.inside ?? []), ...(when.path?.outside ?? [])]) {
      found.add(resolveFolder(folder, places))
    }
    for (const inner of [...(when.any ?? []), ...(when.all ?? []), ...(when.not ? [when.not] : [])]) visit(inner)
  }
  for (const rule of set.rules) {
    visit(rule.when)
    if (rule.unless) visit(rule.unless)
  }
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
