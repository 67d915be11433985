import { actionWords } from '../../call/describe/guess.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { isDispatcher, readName } from '../../call/names/verbs.ts'
import { nameWords } from '../../call/names/words.ts'
import { HTTP } from '../../knowledge/compiled/queries.ts'
import { BOUNDED_ACTS, NAME_WORDS, OBJECTS } from '../../knowledge/compiled/tools.ts'
import { requestOf } from '../query/http-request.ts'
import { riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { type NamedAct, rateName } from '../tool-name/rate-name.ts'
import { isSandbox } from './environment-and-flags.ts'
import { isNavigation } from './user-interface.ts'

const READS: NamedAct = { effect: 'read', level: 'none', all: false }
const LOOKS: NamedAct = { effect: 'read', level: 'low', all: false }
const LIVE_CHANGE = { effect: 'remote', level: 'high' } as const

/** The worst action of the tool's name and of its arguments; null if neither shows one. */
export function worstAction(call: RatedCall, objects: readonly JsonObject[]): NamedAct | null {
  const { name, server } = call.tool
  if (isNavigation(name, server)) return LOOKS
  const about = nameWords(name).filter((word) => !NAME_WORDS.fillers.has(word))
  const isRequest = requestOf(call) !== null
  const chosen = actionWords(name, objects).flatMap(({ value }) =>
    isRequest && HTTP.methods.has(value.toLowerCase()) ? [] : [rateName(value.slice(0, 128), about)],
  )
  // In a dispatcher, the argument decides.
  const decided = isDispatcher(name) && chosen.some((act) => act !== null)
  let worst: NamedAct | null = null
  for (const one of decided ? chosen : [rateName(name), ...chosen]) {
    const act = one === null ? null : atPlace(one, call, objects)
    if (act !== null && (worst === null || riskRank(act.level) > riskRank(worst.level))) worst = act
  }
  return worst ?? (call.descriptor.kind === 'read' && !isRequest ? READS : null)
}

/** Raises changes to infrastructure, and lowers changes to a sandbox, which nobody else notices. */
function atPlace(act: NamedAct, call: RatedCall, objects: readonly JsonObject[]): NamedAct {
  const { name, server } = call.tool
  const servers = [...nameWords(server ?? ''), ...nameWords(name).slice(0, 1)]
  const { words, acts } = readName(name)
  const isAdded =
    acts.every(({ word }) => NAME_WORDS.makers.has(word)) && words.some((word) => BOUNDED_ACTS.additions.has(word))
  const isLive = act.effect === 'write' && !isAdded && servers.some((word) => OBJECTS.infrastructure.has(word))
  const raised = isLive ? LIVE_CHANGE : {}
  const felt = { ...act, ...raised }
  return felt.effect === 'remote' && felt.level === 'high' && isSandbox(objects) ? { ...felt, level: 'medium' } : felt
}
