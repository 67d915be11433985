import { isArray } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { USER_INTERFACES } from '../../knowledge/compiled/tools.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rated-call.ts'
import { isLooking } from './browser.ts'

/**
 * What leaves hardly a mark: an empty folder in the workspace, a picture of a page, a list the agent keeps for itself.
 * Null for everything else.
 */
export function rateSmallMark(call: RatedCall, paths: readonly LocatedPath[]): RiskFinding | null {
  const { name, server } = call.tool
  const words = nameWords(name)
  const isNear =
    paths.length > 0 && paths.every(({ place }) => place === 'workspace' || place === 'temp' || place === 'regenerable')
  const isFolder =
    words.every((word) => USER_INTERFACES.folderNames.has(word)) &&
    words.some((word) => /^(?:mkdir|directory|dir|folder)$/.test(word))
  if (isFolder && isNear && call.descriptor.command === undefined)
    return finding('low', 'tool.folder', 'makes a folder in the workspace', 'yes')
  if (isNear && isLooking(name, server) && words.includes('screenshot'))
    return finding('low', 'tool.read', 'keeps a picture of a page', 'yes')
  // A list of the agent's own is known to be one already.
  return paths.length === 0 && call.descriptor.source !== 'known' && isList(words, call)
    ? finding('low', 'tool.scratch', 'keeps a list for itself', 'yes')
    : null
}

function isList(words: readonly string[], { args, descriptor }: RatedCall): boolean {
  if (
    !words.some((word) => USER_INTERFACES.ownLists.has(word)) ||
    !words.every((word) => USER_INTERFACES.ownLists.has(word) || USER_INTERFACES.ownListWords.has(word))
  )
    return false
  if (descriptor.command !== undefined || descriptor.sql !== undefined || descriptor.url !== undefined) return false
  if (!Object.keys(args).every((key) => USER_INTERFACES.ownListArguments.has(key.toLowerCase().replace(/[^a-z]/g, ''))))
    return false
  // A plan may also be what a customer pays for.
  return !words.includes('plan') || isSteps(args['plan']) || isSteps(args['steps'])
}

function isSteps(value: Json | undefined): boolean {
  return value !== undefined && value !== null && typeof value === 'object' && isArray(value)
}
