import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyAbbreviation, anyFlag } from '../assessor/assessor.ts'

const runs = (program: string): RiskFinding =>
  finding('high', 'files.pager-powers', `${program} is told to run a program`, 'unknown')

/** Commands for `less` that only move: `+G`, `+42`, `+/word`. */
const MOVES = /^\+{1,2}(?:\d{0,9}[gGpF%]?|[/?][^\n\r]*)$/

/** `less` and its like: a first command can start a shell, and a key file can set what opens files. */
export const assessPager: Assess = ({ part, program }) => {
  const commanded = part.args.some(({ value }) => value?.startsWith('+') === true && !MOVES.test(value))
  const powers = ['--lesskey-file', '--lesskey-src', '--lesskey-content', '--log-file', '--LOG-FILE', '--pager']
  return commanded || anyFlag(part, '-k', '-o', '-O') || anyAbbreviation(part, ...powers)
    ? runs(program)
    : finding('none', 'files.pager', `${program} only shows files`)
}
