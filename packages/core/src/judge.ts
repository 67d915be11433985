import { withArgs } from './approval/hold/await-decision.ts'
import type { Judgement } from './approval/request/judgement.ts'
import type { Call } from './call/call.ts'
import { freezeCall } from './call/freeze/freeze-call.ts'
import { readCallOnce } from './call/freeze/read-call-once.ts'
import { decomposeCall } from './command/decompose-call.ts'
import type { OpenContext } from './open-context.ts'
import { withCallerTimeout, withPasskey } from './policy/evaluate/adjust-verdict.ts'
import { gatherCircumstances } from './policy/evaluate/gather-circumstances.ts'
import { evaluateWithGrants } from './policy/evaluate/with-grants.ts'
import type { Places } from './policy/model/circumstances.ts'
import { strictest } from './policy/model/supervision.ts'
import { createPause } from './ports/cooperative-yield.ts'
import { rateRisk } from './risk/rate-risk.ts'
import { NOTHING_TO_CHECK, runCheckers } from './safety/run-checkers.ts'

const MOST_PROPOSALS = 3
const TOGETHER = Promise.resolve()

/** The first four steps: what the call is, how bad it could get, what policy says of it, what the checkers find. */
export async function judgeCall(
  handed: Call,
  context: OpenContext,
  places: Places,
  session: string | null,
  proposals = 0,
): Promise<Judgement> {
  const { ports, argumentBytes } = context
  const { clock, crypto } = ports
  const pause = createPause(clock, session)

  // call. SECURITY: A6 copied before anything is waited for: what the caller changes from here on is its own.
  const given = readCallOnce(handed)
  const arrival = context.arrive()
  const newId = crypto.randomId
  const call = freezeCall(given, { crypto, session, cwd: places.workspace, newId, maxBytes: argumentBytes })
  const command = decomposeCall(call)

  // risk. Those that come together share the look at the policy files, so it is made once all of them are here.
  await (pause.next() ?? TOGETHER)
  const reading = context.refreshPolicy(arrival)
  if (reading !== undefined) await pause.beside(reading)
  const { policy, folders, checkers } = context.inForce()
  const { limits, set } = policy
  const asked = { ports, places, limits, folders, grants: [], rating: set.rating, pause }
  const gathered = await gatherCircumstances(call, command, asked)
  const gathering = pause.next()
  if (gathering !== undefined) await gathering
  const risk = rateRisk(call, command, gathered.circumstances)
  const rating = pause.next()
  if (rating !== undefined) await rating

  // policy. SECURITY: A10 a session ends with its process: what was granted in another speaks for nobody here.
  const { verdict: weighed, circumstances } = await evaluateWithGrants(
    call,
    risk,
    policy,
    gathered.circumstances,
    async () => (context.sessions.has(session) ? pause.beside(context.grants.of(session)) : []),
  )
  const verdict = withPasskey(withCallerTimeout(weighed, given.timeoutMs), set, risk.level)

  // safety
  const about = { call, risk, places, settings: verdict.settings }
  const safety =
    verdict.checks.length === 0
      ? NOTHING_TO_CHECK
      : await pause.beside(runCheckers(checkers, verdict.checks, about, clock))
  const checking = pause.next()
  if (checking !== undefined) await checking
  const supervision = strictest([verdict.supervision, safety.raise, proposals > 0 ? 'confirm' : 'automatic'])
  const known = { ...given, id: call.id, args: call.args, ...described(given, call.descriptor) }
  const paused = gathering !== undefined || rating !== undefined || checking !== undefined
  const found = { circumstances, risk, verdict, safety, supervision, paused }
  const judgement = { given: known, call, named: gathered.named, ...found }

  // INVARIANT: L9, a checker's proposal is a new call: judged from the start, and a person sees it.
  if (safety.proposed === null || safety.blocked || proposals === MOST_PROPOSALS) return judgement
  return judgeCall(withArgs(known, safety.proposed), context, places, session, proposals + 1)
}

/** What a tool said of these arguments goes with the call, so that it is judged the same where the tool is not there to ask. */
function described(given: Call, descriptor: Judgement['call']['descriptor']): Partial<Call> {
  if (given.describe === undefined || descriptor.source !== 'declared') return {}
  const { source: _, urls: __, cwd: ___, ...said } = descriptor
  return { description: said }
}
