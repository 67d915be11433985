import { whyUnclearPerl } from '../../command/code/whole/perl.ts'
import type { CommandWord } from '../../command/model/decomposition.ts'
import type { Found, Run, RunnerInput } from '../reading/runner.ts'

/** Options without another meaning of the letters after them: `-lane`, `-0777`, `-pi.bak`, `-F:`. */
const LETTERS = /^-(?:[nplaw]*|[nplaw]*0[0-7]{0,3})(?:([eE])|i(\.[a-z]{1,8})?|F[,:;=-])?$/
const MODULES = /^-M(?:strict|warnings)$/
/** SECURITY: Perl opens its files with `open` of two arguments, which obeys `|`, `<`, `>` and spaces. */
const PLAIN_FILE = /^[\w./][\w./@+=,~-]*$/

interface PerlLine {
  readonly code: string
  /** The files are rewritten; what is appended to the names of the copies it keeps, if any. */
  readonly rewrites: string | null
  readonly files: readonly string[]
}

/** `perl -ne 'print if /a/' notes.txt`: code that only computes and prints, and its files. Null for any other use. */
export async function seePerl({ part, folder, reader }: RunnerInput): Promise<Found | null> {
  const line = readLine(part.args)
  if (line === null || whyUnclearPerl(line.code) !== null) return null
  const here = await reader.resolve('.', folder)
  if (here === null) return null
  const origin = { file: 'perl', line: 1 }
  const runs: Run[] = []
  for (const file of line.files) {
    runs.push({ code: ['cat', '--', file], origin, cwd: part.cwd })
    if (line.rewrites === null) continue
    // A new file takes the place of the old one: a link would be replaced itself.
    const isPlain = !/^\/|(?:^|\/)\.{1,2}(?:\/|$)|\/\/|\/$/.test(file)
    if (!isPlain || (await reader.resolve(file, folder)) !== `${here}/${file}`) return null
    for (const name of line.rewrites === '' ? [file] : [file, file + line.rewrites])
      runs.push({ code: ['tee', '-a', '--', name], origin, cwd: part.cwd })
  }
  const isWarning = part.assignments.some(({ name, value }) => name === 'PERL5OPT' && value === '-w')
  return { runs, opaque: [], alone: true, ...(isWarning ? { variables: ['PERL5OPT'] } : {}) }
}

function readLine(args: readonly CommandWord[]): PerlLine | null {
  const code: string[] = []
  let rewrites: string | null = null
  let at = 0
  for (; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || args[at]?.glob === true) return null
    if (!value.startsWith('-')) break
    if (value === '--') {
      at++
      break
    }
    if (MODULES.test(value)) continue
    const found = LETTERS.exec(value)
    if (found === null || value === '-') return null
    if (/^-[nplaw0-7]*i/.test(value)) rewrites = found[2] ?? ''
    if (found[1] === undefined) continue
    const text = args[++at]?.value ?? null
    if (text === null || args[at]?.glob === true) return null
    code.push(text)
  }
  const files = args.slice(at).map(({ value, glob }) => (glob ? null : value))
  const plain = files.filter((file) => file !== null && PLAIN_FILE.test(file)) as string[]
  return code.length === 0 || plain.length < files.length ? null : { code: code.join('\n'), rewrites, files: plain }
}
