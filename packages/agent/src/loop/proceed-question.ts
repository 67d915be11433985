import { canonicalJson, type Intent, type Json, type JsonObject, type Refusal, riskRank } from '@countersign/core'
import type { AskedCall, Message } from '../model/model.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { lastWords } from '../tools/definition/output-limit.ts'
import type { GatedCall, NotAsked } from './call-tool.ts'

const MAX_SAID = 4_000

/**
 * The call that a person sees when the agent asks for permission: Proceed approves it, Cancel rejects it. It has no
 * effect; the agent’s calls still pass the gate.
 */
export const PROCEED: AgentTool = {
  name: 'proceed',
  description: 'Lets a person answer the agent’s request for permission.',
  inputSchema: {
    type: 'object',
    properties: {
      action_type: { type: 'string' },
      scope: { type: 'object' },
      risk_level: { type: 'string' },
      said: { type: 'string' },
    },
  },
  source: 'builtin',
  requiresConfirmation: true,
  describe: () => ({ kind: 'other' }),
  run: async () => 'true',
}

/**
 * HALT: whether the turn pauses here. It only ever adds a question: an agreement covers the next turn as far as that
 * only announces the same thing, and none of its calls. INVARIANT: L9.
 */
export function needsPermission(intent: Intent, agreed: Intent | null): boolean {
  if (!intent.confirmation_required) return false
  if (agreed === null) return true
  const required = intent.signs.filter((sign) => sign.required)
  const isAnnounced = required.every(({ kind }) => kind === 'announcement')
  return !(isAnnounced && isWithin(intent, agreed))
}

function isWithin(intent: Intent, agreed: Intent): boolean {
  const what = ({ action_type, scope }: Intent) => canonicalJson([action_type, { ...scope }] as Json)
  try {
    return riskRank(intent.risk_level) <= riskRank(agreed.risk_level) && what(intent) === what(agreed)
  } catch {
    return false // a scope too deep to compare is asked about again
  }
}

/** RENDER: the question as a call for the gate. */
export function proceedCall(intent: Intent, text: string): GatedCall {
  const said = lastWords(text, MAX_SAID)
  const { action_type, scope, risk_level } = intent
  const args: JsonObject = { action_type, scope: { ...scope }, risk_level, said }
  const call: AskedCall = { id: 'proceed', tool: PROCEED.name, args }
  const confirmationMessage =
    'Proceed lets the agent continue; its calls are still checked one by one. Cancel tells it not to.'
  return { call, tool: PROCEED, args, said, confirmationMessage }
}

/** RESUME: the answer for the agent. */
export function heardAnswer(refusal: Refusal | null): Message {
  if (refusal === null) return { role: 'person', text: JSON.stringify({ proceed: true }) }
  const { outcome, message, reason } = refusal
  const why = outcome === 'rejected' ? {} : { why: message }
  return { role: 'person', text: JSON.stringify({ proceed: false, ...why, ...(reason === null ? {} : { reason }) }) }
}

/** Why the calls of a cancelled turn are not asked. */
export function notProceeded({ outcome, code, message }: Refusal): NotAsked {
  return { outcome, code, message: `the agent asked for permission and was refused (${message})` }
}
