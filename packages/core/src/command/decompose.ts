import { reportOddCharacters } from './checks/odd-characters.ts'
import { Scope } from './expansion/scope.ts'
import { NO_INPUT } from './expansion/standard-input.ts'
import { literalWord } from './expansion/words.ts'
import type { Decomposition } from './model/decomposition.ts'
import { CAPS } from './model/limits.ts'
import type { Frame } from './walk/frame.ts'
import { Visit } from './walk/visitor.ts'

const start = (source: string): Frame => ({
  scope: new Scope(),
  via: [],
  input: NO_INPUT,
  reads: 0,
  writes: 0,
  redirections: [],
  depth: 0,
  wrappers: 0,
  calls: [],
  source,
  span: null,
})

/**
 * Splits a shell command into every simple command it would run: through lists, pipelines, conditions, loops, functions,
 * substitutions, nested shells and wrappers. A wrapper and what it runs are separate parts. Never throws; what cannot be
 * parsed, followed or bounded is a problem.
 */
export function decompose(source: string): Decomposition {
  return new Visit().run({ kind: 'source', text: source, frame: start(source) })
}

/** The same for a command without a shell: exactly these words, still followed through wrappers and shells. */
export function decomposeArgv(argv: readonly string[]): Decomposition {
  const visit = new Visit()
  const text = argv.join(' ')
  const span = { start: 0, end: text.length }
  if (text.length > CAPS.source) visit.problems.add('too-long', `is longer than ${CAPS.source} characters`, null)
  // Words are exact, so only characters that no honest word has are odd.
  reportOddCharacters(text, null, null, visit.problems)
  const words = (text.length > CAPS.source ? argv.slice(0, 64) : argv).map(literalWord)
  const command = {
    words,
    assignments: [],
    redirections: [],
    text: text.slice(0, CAPS.source),
    span,
    sameShell: false,
    stream: 0,
  }
  return visit.run({ kind: 'simple', command, frame: { ...start(text), span } })
}
