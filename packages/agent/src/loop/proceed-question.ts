import { canonicalJson, type Intent, type Json, type JsonObject, type Refusal, riskRank } from '@countersign/core'
import type { AskedCall, Message } from '../model/model.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import type { GatedCall, NotAsked } from './call-tool.ts'
import { lastWords } from './text-excerpt.ts'

const MOST_SAID = 4_000

/**
 * The call a person sees when the agent's own words ask for leave: Proceed approves it, Cancel rejects it. It has no
 * effect of its own; what the agent does afterwards passes the gate like everything else.
 */
export const PROCEED: AgentTool = {
  name: 'proceed',
  description: 'Lets a person answer what the agent asked for leave to do.',
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
 * HALT: whether the turn stops here. Only ever adds a question: an agreement covers the one next turn, as far as that
 * only announces the very thing that was agreed on, and none of its calls. INVARIANT: L9.
 */
export function needsLeave(intent: Intent, agreed: Intent | null): boolean {
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
    return false // a scope nested too deep to be compared is asked about anew
  }
}

/** RENDER: the question as a call for the gate. */
export function proceedCall(intent: Intent, text: string): GatedCall {
  const said = lastWords(text, MOST_SAID)
  const { action_type, scope, risk_level } = intent
  const args: JsonObject = { action_type, scope: { ...scope }, risk_level, said }
  const call: AskedCall = { id: 'proceed', tool: PROCEED.name, args }
  const confirmationMessage =
    'Proceed lets the agent go on; its calls are still asked one by one. Cancel tells it not to.'
  return { call, tool: PROCEED, args, said, confirmationMessage }
}

/** RESUME: the answer as the agent hears it. */
export function heardAnswer(refusal: Refusal | null): Message {
  if (refusal === null) return { role: 'person', text: JSON.stringify({ proceed: true }) }
  const { outcome, message, reason } = refusal
  const why = outcome === 'rejected' ? {} : { why: message }
  return { role: 'person', text: JSON.stringify({ proceed: false, ...why, ...(reason === null ? {} : { reason }) }) }
}

/** Why the calls of a turn that was not to proceed are not asked. */
export function notProceeded({ outcome, code, message }: Refusal): NotAsked {
  return { outcome, code, message: `the agent asked for leave and did not get it (${message})` }
}
