import { AWKS, interpreterOf } from '../../command/code/inline-code.ts'
import type { CommandWord } from '../../command/model/decomposition.ts'
import { type Language, shellKnowledge } from '../../knowledge/shell.ts'
import { type Found, type Runner, type RunnerInput, unclear } from '../reading/runner.ts'
import { seeCode } from './code-file.ts'
import { seeNode } from './node-command.ts'
import { seePerl } from './perl-command.ts'
import { seePython } from './python-command.ts'

/** Options of interpreters that load no code. */
const HARMLESS: Readonly<Partial<Record<Language, RegExp>>> = {
  perl: /^-[wWtT]+$/,
  ruby: /^-[wWvU]+$/,
}

/** `python x.py`, `node x.js`, `perl x.pl`, `ruby x.rb`, `awk -f x.awk`: a script of the project by the acts in it. */
export const seeInterpreter: Runner = async (input) => {
  const { program, part } = input
  // SECURITY: a program of this name in the project can be anything.
  if (part.path !== part.program && !/^\/(?:usr\/(?:local\/)?)?bin\//.test(part.path ?? ''))
    return unclear(`\`${(part.path ?? '').slice(0, 80)}\` is a program of the project`)
  if (AWKS.has(program)) return seeAwk(input)
  if (/^node(?:js)?$/.test(program)) return seeNode(input)
  if (/^python[\d.]*$/.test(program)) return seePython(input)
  const name = interpreterOf(program)
  const perl = name === 'perl' ? await seePerl(input) : null
  if (perl !== null) return perl
  const row = name === null ? undefined : shellKnowledge().interpreters[name]
  if (row === undefined || part.stdin.kind === 'literal') return null
  const asked = scriptWord(part.args, row.language, [...row.code_letters, 'm', 'h', 'V'])
  if (asked === null) return null
  if ('why' in asked) return unclear(asked.why)
  return readCode(asked.path, row.language, input)
}

async function readCode(path: string, language: Language, { part, folder, reader }: RunnerInput): Promise<Found> {
  const reading = await reader.read(path, folder)
  if (reading.kind === 'opaque') return unclear(reading.why)
  if (reading.kind === 'file') return seeCode(reading, language, { cwd: part.cwd, reader })
  // `node dist` loads dist/index.js, `python app` loads app/__main__.py.
  return unclear(`\`${path.slice(0, 80)}\` does not exist`)
}

/** The script among the words; null if there is none, or the code is given in another way. */
function scriptWord(
  args: readonly CommandWord[],
  language: Language,
  codeLetters: readonly string[],
): { readonly path: string } | { readonly why: string } | null {
  let odd: string | null = null
  for (const { value, glob } of args) {
    if (value === null || glob) return { why: 'the script is not known' }
    if (value === '-' || value === '/dev/stdin') return null
    if (!value.startsWith('-'))
      return odd === null ? { path: value } : { why: `\`${odd.slice(0, 40)}\` may load other code` }
    if (value === '--') continue
    if (
      codeLetters.some((letter) => new RegExp(`^-[A-Za-z]*${letter}`).test(value)) &&
      !HARMLESS[language]?.test(value)
    )
      return null
    if (/^--(?:eval|print|version|help)/.test(value)) return null
    if (HARMLESS[language]?.test(value) !== true) odd = value
  }
  return null
}

async function seeAwk(input: RunnerInput): Promise<Found | null> {
  const { args } = input.part
  const files = args.flatMap(({ value }, at) => {
    if (value === '-f' || value === '--file') return [args[at + 1]?.value ?? null]
    return value !== null && /^(?:--file=|-f.)/.test(value) ? [value.replace(/^(?:--file=|-f)/, '')] : []
  })
  const [path] = files
  if (path === undefined) return null
  if (files.length > 1) return unclear('it runs several scripts')
  return path === null ? unclear('the script is not known') : readCode(path, 'awk', input)
}
