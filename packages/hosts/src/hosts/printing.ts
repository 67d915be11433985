import { assertNever, type JsonObject } from '@countersign/core'
import { type HostAnswer, NOTHING, type Printed } from '../contract/host-answer.ts'
import { type Reason, reasonOf } from './reason.ts'

/** A host's answer formats. An answer that has no format is printed as a refusal. */
export interface AnswerShapes<Output extends object> {
  deny(reason: Reason): Output
  /** Null prints nothing, for hosts that continue without output. */
  allow(reason: Reason): Output | null
  allowWith?(args: JsonObject, reason: Reason): Output
  ask?(reason: Reason): Output
  askWith?(args: JsonObject, reason: Reason): Output
}

/**
 * Prints an answer as exactly one JSON object on one line, with exit code 0. INVARIANT: L3, output that a host
 * might not understand is never printed: the host would run the tool as requested.
 */
export function printAnswer<Output extends object>(answer: HostAnswer, shapes: AnswerShapes<Output>): Printed {
  const reason = reasonOf(answer.reason)
  const refused = (why: string): Printed => printed(shapes.deny(reasonOf(`NOT EXECUTED: ${why}.`)))
  switch (answer.kind) {
    case 'deny':
      return printed(shapes.deny(reason))
    case 'allow':
      if (answer.args === null) return printed(shapes.allow(reason))
      if (!isWellFormed(answer.args)) return refused('its arguments contain characters that can’t be passed on')
      return shapes.allowWith === undefined
        ? refused('this agent can’t replace arguments')
        : printed(shapes.allowWith(answer.args, reason))
    case 'ask':
      if (shapes.ask === undefined)
        return refused(`it needs approval, and this agent can’t ask for it (${answer.reason})`)
      if (answer.args === null) return printed(shapes.ask(reason))
      return shapes.askWith === undefined || !isWellFormed(answer.args)
        ? refused('it needs approval, and this agent can’t show these arguments')
        : printed(shapes.askWith(answer.args, reason))
    default:
      return assertNever(answer)
  }
}

function printed(output: object | null): Printed {
  return output === null ? NOTHING : { stdout: JSON.stringify(output), stderr: '', exitCode: 0 }
}

/** Whether every string is valid Unicode. Hosts written in Rust reject JSON with lone surrogates. */
function isWellFormed(args: JsonObject): boolean {
  let isGood = true
  JSON.stringify(args, (key, value: unknown) => {
    if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) isGood = false
    return value
  })
  return isGood
}
