import { compileFolders } from '../match/folder.ts'
import type { Circumstances } from '../model/circumstances.ts'
import type { Rating } from '../model/rule.ts'

/** The settings of the rating as they apply here: `context:` of the policy holds in the workspaces that it names. */
export function declaredContext(
  rating: Rating | undefined,
  here: Pick<Circumstances, 'places' | 'folders'>,
  isDeclared = false,
): Pick<Circumstances, 'thresholds' | 'trustedServers' | 'knowledge' | 'inProduction'> {
  const { production = [], ...settings } = rating ?? {}
  const inProduction =
    isDeclared ||
    production.some(
      (workspaces) => workspaces === null || compileFolders(workspaces).holds(here.places.workspace, here),
    )
  return inProduction ? { ...settings, inProduction } : settings
}
