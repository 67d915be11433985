import { plainWords } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyAbbreviation, anyFlag, anyPrefix } from '../assessor/assessor.ts'

/** Converters: they read one file and write another. The output file is rated with the paths. */
export const assessConverter: Assess = ({ part, program }) => {
  if (part.args.length === 0) return finding('none', 'plain.bare', `${program} does nothing`)
  if (anyFlag(part, '-version', '-h', '-V', '-list', '-formats', '-codecs'))
    return finding('none', 'plain.help', `${program} only prints its version or help`)
  return finding('medium', 'files.convert', `${program} writes a new file`, 'yes')
}

/** Source indexers: an options file can name programs to run. */
export const assessIndex: Assess = ({ part, program }) =>
  anyFlag(part, '--options', '--options-maybe') || anyPrefix(part, '--_xformat', '--extra-optlib')
    ? finding('high', 'files.filter-powers', `${program} reads options from a file, which can run programs`, 'unknown')
    : finding('low', 'files.index', `${program} writes an index`)

/** `xxd`: a second word is the file it writes. */
export const assessHexDump: Assess = ({ part, program }) =>
  plainWords(part).length > 1
    ? finding('medium', 'files.write', `${program} writes a file`)
    : finding('none', 'plain.read', `${program} only reads or prints`)

/** `unset` and `set +o`: harmless, unless they turn off the shell's history. */
export const assessUnset: Assess = ({ part }) =>
  part.args.some(({ value }) => value !== null && /^(?:HISTFILE|HISTSIZE|HISTCONTROL|PROMPT_COMMAND)$/.test(value)) ||
  (part.args[0]?.value === '+o' && part.args[1]?.value === 'history')
    ? finding('high', 'system.history', 'keeps later commands out of the shell’s history', 'no')
    : finding('none', 'plain.read', 'changes only the shell itself')

/** `yq`, `dasel`: they print, unless told to edit in place. */
export const assessInPlaceFilter: Assess = ({ part, program }) =>
  part.args.some(
    ({ value }) => value !== null && /^(?:-[a-zA-Z]*i[a-zA-Z]*|--inplace|--in-place|put|delete)$/.test(value),
  )
    ? finding('medium', 'files.rewrite', `${program} rewrites a file`)
    : finding('none', 'files.filter', `${program} only reads`)

const runs = (program: string): RiskFinding =>
  finding('high', 'files.pager-powers', `${program} runs a given program`, 'unknown')

/** Commands for `less` that only move: `+G`, `+42`, `+/word`. */
const MOVES = /^\+{1,2}(?:\d{0,9}[gGpF%]?|[/?][^\n\r]*)$/

/** `less` and similar: a start-up command can start a shell, and a key file can set the program that opens files. */
export const assessPager: Assess = ({ part, program }) => {
  const commanded = part.args.some(({ value }) => value?.startsWith('+') === true && !MOVES.test(value))
  const powers = ['--lesskey-file', '--lesskey-src', '--lesskey-content', '--log-file', '--LOG-FILE', '--pager']
  return commanded || anyFlag(part, '-k', '-o', '-O') || anyAbbreviation(part, ...powers)
    ? runs(program)
    : finding('none', 'files.pager', `${program} only shows files`)
}
