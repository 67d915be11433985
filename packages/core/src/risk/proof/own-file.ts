import { GIT_SETTINGS } from '../../knowledge/compiled/runners.ts'
import { isProtectedName, makesRepository } from '../../knowledge/containment.ts'
import { rowsOf } from '../../runners/written/run-file.ts'
import { isInside, type Places, placeOf } from '../path/category.ts'

/** Whether a path is one of the workspace that nothing runs or obeys by itself. */
export function isOwnFile(real: string | null, places: Places): boolean {
  if (real === null || real === places.workspace || !isInside(real, places.workspace)) return false
  const place = placeOf(real, places)
  if (place !== 'workspace' && place !== 'regenerable') return false
  const names = real.slice(places.workspace.length + 1).split('/')
  return !names.some((name, at) => isProtectedName(name, names[at - 1] ?? '')) && !isOfRepository(names)
}

/** Whether a file makes a repository of a folder, or is a hook of one: git would obey the folder in which a person works. */
function isOfRepository(names: readonly string[]): boolean {
  if (makesRepository(names.at(-1) ?? '')) return true
  const plain = names.map((name) => name.normalize('NFKC').toLowerCase())
  return plain.some(
    (name, at) => plain[at - 1] === 'hooks' && GIT_SETTINGS.hooks.some((row) => row.names.includes(name)),
  )
}

/** Whether other programs run what is in a file of this name. */
export function isRunFile(real: string, { workspace }: Places): boolean {
  return rowsOf(real.slice(workspace.length + 1)).length > 0
}
