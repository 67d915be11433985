import { isArray } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { letterKey, nameWords } from '../../call/names/words.ts'
import { USER_INTERFACES } from '../../knowledge/compiled/tools.ts'
import type { WordSet } from '../../knowledge/words.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { isNavigation } from './user-interface.ts'

/** Rates a new folder in the workspace, a screenshot, local work with git, drafts, and the agent's own lists; else null. */
export function rateMinorEffect(call: RatedCall, paths: readonly LocatedPath[]): RiskFinding | null {
  const { name, server } = call.tool
  const words = nameWords(name)
  const isNear =
    paths.length > 0 && paths.every(({ place }) => place === 'workspace' || place === 'temp' || place === 'regenerable')
  const isFolder =
    words.every((word) => USER_INTERFACES.folderNames.has(word)) &&
    words.some((word) => /^(?:mkdir|directory|dir|folder)$/.test(word))
  if (isFolder && isNear && call.descriptor.command === undefined)
    return finding('low', 'tool.folder', 'creates a folder in the workspace', 'yes')
  if (isNear && isNavigation(name, server) && words.includes('screenshot'))
    return finding('low', 'tool.read', 'saves a screenshot of a web page', 'yes')
  if (isNear && isLocalGit(call)) return finding('low', 'tool.local-git', 'changes only the local repository', 'yes')
  if (paths.length === 0 && isDraft(words, call))
    return finding('low', 'tool.draft', 'keeps a draft of a message', 'yes')
  // Known tools of this kind have a description already.
  return paths.length === 0 && call.descriptor.source !== 'known' && isList(words, call)
    ? finding('low', 'tool.scratch', 'updates the agent’s own list', 'yes')
    : null
}

function isLocalGit({ tool, args, descriptor }: RatedCall): boolean {
  if (!nameWords(tool.server ?? '').includes('git') || !USER_INTERFACES.localGitTools.has(tool.name)) return false
  return isPlain(descriptor) && hasOnly(args, USER_INTERFACES.localGitArguments)
}

function isDraft(words: readonly string[], { args, descriptor }: RatedCall): boolean {
  const isNamed = words.some((word) => word === 'draft' || word === 'drafts')
  if (!isNamed || !words.every((word) => USER_INTERFACES.draftWords.has(word))) return false
  return isPlain(descriptor) && hasOnly(args, USER_INTERFACES.draftArguments)
}

function isPlain({ command, sql, url }: RatedCall['descriptor']): boolean {
  return command === undefined && sql === undefined && url === undefined
}

function hasOnly(args: RatedCall['args'], known: WordSet): boolean {
  return Object.keys(args).every((key) => known.has(letterKey(key)))
}

function isList(words: readonly string[], { args, descriptor }: RatedCall): boolean {
  if (
    !words.some((word) => USER_INTERFACES.ownLists.has(word)) ||
    !words.every((word) => USER_INTERFACES.ownLists.has(word) || USER_INTERFACES.ownListWords.has(word))
  )
    return false
  if (!isPlain(descriptor) || !hasOnly(args, USER_INTERFACES.ownListArguments)) return false
  // A plan may also be a customer's subscription.
  return !words.includes('plan') || isSteps(args['plan']) || isSteps(args['steps'])
}

function isSteps(value: Json | undefined): boolean {
  return value !== undefined && value !== null && typeof value === 'object' && isArray(value)
}
