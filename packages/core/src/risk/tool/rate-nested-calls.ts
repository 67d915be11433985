import { rateCommand } from '../command/rate-command.ts'
import type { InnerReading, InnerReadings } from '../nested-calls/interpretations.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { Guess } from './undescribed-tool.ts'

/** Rates the calls that a call makes, each by itself; those inside another are found with the outermost. */
export function rateInnerCalls({ readings, missed }: InnerReadings, guess: Guess): readonly RiskFinding[] {
  const found = readings.filter(({ isHome, isMaybe }) => isHome && !isMaybe).flatMap((one) => rateOne(one, guess))
  if (missed === 'nothing') return found
  if (missed === 'unclear')
    return [...found, finding('high', 'tool.inner-unknown', 'makes calls that cannot all be read', 'unknown')]
  return [...found, finding('high', 'tool.deep', 'makes more or deeper calls than are followed', 'unknown')]
}

/** What may be a call counts where its name tells something; that nobody described it is no news. */
export function rateMaybeCalls({ readings }: InnerReadings, guess: Guess): readonly RiskFinding[] {
  return readings
    .filter(({ isHome, isMaybe }) => isHome && isMaybe)
    .flatMap((one) => rateOne(one, guess))
    .filter(({ rule }) => rule !== 'tool.undescribed')
}

function rateOne({ call, command }: InnerReading, { now, rateInner }: Guess): readonly RiskFinding[] {
  const found: RiskFinding[] = command === null ? [] : rateCommand(command, call.cwd, now).findings
  for (const one of rateInner(call, command !== null)) found.push(one)
  return found
}
