import { rowList } from '../../../knowledge/programs.ts'

/** The parts of `db:reset`, `deploy-prod` and `publishToMavenCentral`. */
function partsOf(name: string): readonly string[] {
  return name
    .slice(0, 120)
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-:_./@]+/)
    .filter((part) => part !== '')
}

/** The risk of a project's script by its name, since its code is not visible. */
export function rateScriptName(name: string): 'low' | 'medium' | 'high' {
  const parts = partsOf(name)
  const [first = ''] = parts
  if (parts.includes('dry') || parts.includes('local') || parts.includes('snapshot')) return 'low'
  const harmless = rowList('make', 'harmless_names').has(first)
  const destructive = rowList('make', 'destructive_names')
  const production = rowList('make', 'production_names')
  const changing = rowList('make', 'changing_names')
  if (!harmless && parts.some((part) => destructive.has(part) || production.has(part))) return 'high'
  if (harmless && parts.includes('deploy')) return 'medium'
  return parts.some((part) => changing.has(part)) && !harmless ? 'medium' : 'low'
}
