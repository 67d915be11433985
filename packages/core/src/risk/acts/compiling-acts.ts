import type { CommandPart } from '../../command/model/decomposition.ts'
import type { FileAct, FileActs } from './file-act.ts'

/** Options that only say how: warnings, optimization, debugging, the version of the language. */
const HARMLESS =
  /^-(?:g[0-3]?|O[0-3sgz]?|Ofast|W(?:no-)?[a-z][a-z0-9+-]*(?:=\d+)?|w|pedantic|pedantic-errors|ansi|std=[a-z]+[0-9a-z]+|shared|static|pthread|pipe|fPIC|fpic|fPIE|fsyntax-only|lm|lpthread|D[A-Za-z]\w*(?:=\d+)?|c|S|E)$/

/** `gcc -Wall -o hello hello.c`: compiles C sources into one file. */
export function compilingActs({ args }: CommandPart): FileActs {
  const words = args.map(({ value }) => value ?? '')
  const sources: string[] = []
  let output: string | null = null
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word.startsWith('-o')) {
      const given = word === '-o' ? words[++at] : word.slice(2)
      if (output !== null || given === undefined || /^(?:-|$)/.test(given)) return null
      output = given
    } else if (/^[^-@].*\.c$|^\w\.c$/s.test(word)) sources.push(word)
    else if (!HARMLESS.test(word)) return null
  }
  if (sources.length === 0) return null
  const compiled: FileAct = { kind: 'compile', sources }
  if (words.includes('-fsyntax-only')) return output === null ? [compiled] : null
  if (words.includes('-E') && output === null) return [compiled]
  const ending = words.includes('-S') ? '.s' : words.includes('-c') ? '.o' : null
  if (output !== null) return [compiled, { kind: 'file', path: output, keepsNode: true }]
  const made =
    ending === null ? ['a.out'] : sources.map((path) => `${path.slice(path.lastIndexOf('/') + 1, -2)}${ending}`)
  return [compiled, ...made.map((path): FileAct => ({ kind: 'file', path, keepsNode: true }))]
}
