import { describeCall } from '../call/describe.ts'
import { decompose } from '../command/decompose.ts'
import { finding, type RiskFinding } from './finding.ts'
import type { InnerCall, InnerCalls } from './inner-calls.ts'
import { rateCommand } from './rate-command.ts'
import type { Guess } from './rate-guess.ts'
import type { RatedCall } from './rate-tool.ts'

/** Rates the calls that a call makes, each by itself; those inside another are found with the outermost. */
export function rateInnerCalls({ calls, missed }: InnerCalls, guess: Guess): readonly RiskFinding[] {
  if (guess.depth > 0) return []
  const found = calls.filter(({ isMaybe }) => !isMaybe).flatMap((inner) => rateOne(inner, guess))
  if (missed === 'nothing') return found
  if (missed === 'unclear')
    return [...found, finding('high', 'tool.inner-unknown', 'makes calls that cannot all be read', 'unknown')]
  return [...found, finding('high', 'tool.deep', 'makes more or deeper calls than are followed', 'unknown')]
}

/** What may be a call counts where its name tells something; that nobody described it is no news. */
export function rateMaybeCalls({ calls }: InnerCalls, guess: Guess): readonly RiskFinding[] {
  if (guess.depth > 0) return []
  return calls
    .filter(({ isMaybe }) => isMaybe)
    .flatMap((inner) => rateOne(inner, guess))
    .filter(({ rule }) => rule !== 'tool.undescribed')
}

function rateOne({ name, server, around, args }: InnerCall, guess: Guess): readonly RiskFinding[] {
  const { call: outer, now } = guess
  const named = server ?? around
  const home = named ?? outer.tool.server
  const source = named === null ? outer.source : 'mcp'
  const descriptor = describeCall({ name, server: home, source }, args)
  const call: RatedCall = {
    tool: { name, server: home, definition: 'unbound' },
    args,
    descriptor,
    annotations: null,
    source,
    cwd: outer.cwd,
  }
  const { command } = descriptor
  return [
    ...(command === undefined ? [] : rateCommand(decompose(command), call.cwd, now).findings),
    ...guess.rateInner(call, command !== undefined),
  ]
}
