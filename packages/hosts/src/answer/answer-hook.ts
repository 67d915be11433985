import { asCountersignError } from '@countersign/core'
import { agentFolder, agentProcess, type Home, isAttended, ownerOfProcess } from '@countersign/node'
import type { HostAnswer, Printed } from '../contract/host-answer.ts'
import { NOTHING } from '../contract/host-answer.ts'
import type { HostContract } from '../contract/host-contract.ts'
import { contractOf } from '../hosts/contracts.ts'
import { parseEvent } from '../hosts/event-fields.ts'
import { reasonOf } from '../hosts/reason.ts'
import type { HookProcess } from '../sessions/host-sessions.ts'
import { isHostToken, readHostSetup } from '../sessions/host-setup.ts'
import { answerEvent, type JoinedAgent, type WaitingAgent } from './answer-event.ts'
import type { HookRequest } from './hook-request.ts'

/** What answering a hook needs from the program that does it. */
export interface HookWorld {
  readonly home: Home
  /** Joins a session; `leave` must be called. */
  join(session: WaitingAgent): Promise<JoinedAgent>
}

/** Answers one event of a coding agent in its own format. Never throws: any failure is a refusal (L3). */
export async function answerHook(request: HookRequest, world: HookWorld, signal?: AbortSignal): Promise<Printed> {
  const contract = contractOf(request.host)
  try {
    const { event, launcher, traceparent, callId, again } = request
    const given = { payload: parseEvent(request.text), event, traceparent, callId, again: again === true }
    return await answerEvent(given, contract, { ...world, launcher, hook: hookProcess(request, world.home) }, signal)
  } catch (error) {
    return refuseEvent(contract, request.event, error)
  }
}

/**
 * The refusal of an event that can't be answered. Reports of what has happened already need no answer. INVARIANT: L3, an event that can't
 * be read may be another agent's, which reads this one's hook files.
 */
export function refuseEvent(contract: HostContract, event: string | undefined, error: unknown): Printed {
  const isReport = contract.events.some(({ name, kind }) => name === event && kind === 'report')
  if (isReport) return NOTHING
  const { code, message } = asCountersignError(error, 'CS_INTERNAL', 'internal error; run `countersign doctor`')
  const reason = `NOT EXECUTED: ${message} [${code}]`
  const answer: HostAnswer = { kind: 'deny', reason }
  const printed = contract.print(answer, event)
  const isUnread = code === 'CS_HOST_EVENT' || code === 'CS_CALL_TOO_LARGE'
  if (!isUnread || !contract.refusesByExit) return printed
  return { stdout: printed.stdout, stderr: `${reasonOf(reason)}\n`, exitCode: 2 }
}

function hookProcess({ host, token, parent, cwd, hook }: HookRequest, home: Home): HookProcess {
  const setup = readHostSetup(home, host)
  const pid = agentProcess(parent)
  const hasToken = setup !== undefined && isHostToken(token, setup)
  return {
    pid,
    ...(hook === undefined ? {} : { waiter: ownerOfProcess(hook) }),
    cwd: agentFolder(pid) ?? cwd,
    within: setup?.within ?? [],
    hasToken,
    agentPrompt: hasToken && setup.asking === 'host' && isAttended(pid),
  }
}
