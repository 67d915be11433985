import { CountersignError } from '../../errors.ts'
import { readTraceparent } from '../../ports/telemetry.ts'
import type { Call } from '../call.ts'

/**
 * The fields of a call, each read exactly once. SECURITY: A6, a call whose accessors change is judged, shown, sealed and
 * judged again by its first values.
 */
export function readCallOnce(given: Call): Call {
  if (typeof given !== 'object' || given === null) {
    throw new CountersignError('CS_CALL_SHAPE', 'a call must be an object; pass `tool` and `args`')
  }
  try {
    // Written out instead of looping over names, for speed: every call passes here.
    const { id, tool, args, cwd, agent, said, reasoning, context, description, describe, preview, restores } = given
    const { requiresConfirmation, confirmationMessage, source, timeoutMs, volatile, atLeast } = given
    const { containable, uncontained, outside, traceparent } = given
    const call: { -readonly [field in keyof Call]?: Call[field] | undefined } = { tool, args }
    if (id !== undefined) call.id = id
    if (cwd !== undefined) call.cwd = cwd
    if (agent !== undefined) call.agent = agent
    if (said !== undefined) call.said = said
    if (reasoning !== undefined) call.reasoning = reasoning
    if (context !== undefined) call.context = context
    if (description !== undefined) call.description = description
    if (atLeast !== undefined) call.atLeast = atLeast
    if (describe !== undefined) call.describe = describe
    if (preview !== undefined) call.preview = preview
    if (restores !== undefined) call.restores = restores
    if (requiresConfirmation !== undefined) call.requiresConfirmation = requiresConfirmation
    if (confirmationMessage !== undefined) call.confirmationMessage = confirmationMessage
    if (source !== undefined) call.source = source
    if (timeoutMs !== undefined) call.timeoutMs = timeoutMs
    if (volatile !== undefined) call.volatile = volatile
    if (containable !== undefined) call.containable = containable
    if (uncontained !== undefined) call.uncontained = uncontained
    if (outside !== undefined) call.outside = outside
    const trace = traceparent === undefined ? undefined : readTraceparent(traceparent)
    if (trace !== undefined) call.traceparent = trace
    return call as Call
  } catch (error) {
    throw new CountersignError('CS_CALL_SHAPE', 'the call cannot be read; pass a plain object with `tool` and `args`', {
      cause: error,
    })
  }
}
