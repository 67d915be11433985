import { valuedOptionsOf } from '../../../knowledge/programs.ts'
import { readsEnvironment } from '../../arguments/data-filter.ts'
import { typedOptions } from '../../arguments/typed-options.ts'
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
  plainWords(part, valuedOptionsOf('xxd')).length > 1
    ? finding('medium', 'files.write', `${program} writes a file`)
    : finding('none', 'plain.read', `${program} only reads or prints`)

/** `jq`, `yq` and similar: they print, unless told to edit in place or to show the environment. */
export const assessDataFilter: Assess = ({ part, program, row }) => {
  const options = typedOptions(part, row)
  if (
    options.some(({ name }) => IN_PLACE.has(name)) ||
    part.args.some(({ value }) => /^(?:put|delete)$/.test(value ?? ''))
  )
    return finding('medium', 'files.rewrite', `${program} rewrites a file`)
  if (part.args.some(({ value }) => value !== null && readsEnvironment(value)))
    return finding(
      'medium',
      'system.environment',
      `${program} reads the environment, which often contains secrets`,
      'no',
    )
  return part.args.some(({ value }) => value !== null && LOADS.test(value))
    ? finding('low', 'files.filter-loads', `${program} reads other files that its filter names`, 'unknown')
    : finding('none', 'files.filter', `${program} only reads`)
}

const IN_PLACE = new Set(['-i', '--inplace', '--in-place', '--split-exp'])
/** `import "x" as $y`, `load("x")`: a filter that reads files. */
const LOADS = /(?:^|[;\s])(?:import|include)\s+"|\bload(?:_?\w{1,12})?\s{0,4}\(/

/** `dc`: `!` runs a command, unless it negates a comparison. */
export const assessCalculator: Assess = ({ part, program }) => {
  const texts = part.args.map(({ value }) => value ?? '!?')
  if (part.stdin.kind !== 'none') texts.push(part.stdin.kind === 'literal' ? part.stdin.text : '')
  if (texts.some((text) => /!(?![<>=])/.test(text)))
    return finding('high', 'files.filter-powers', `${program} runs a command`, 'unknown')
  return part.stdin.kind === 'none' || part.stdin.kind === 'literal'
    ? finding('none', 'plain.read', `${program} only computes`)
    : finding('low', 'plain.small', `${program} runs a program from its input`)
}

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
