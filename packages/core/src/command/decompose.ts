import { reportOddCharacters } from './checks/odd-characters.ts'
import { exactCommands } from './exact/walk.ts'
import { Scope } from './expansion/scope.ts'
import { NO_INPUT } from './expansion/standard-input.ts'
import { literalWord } from './expansion/words.ts'
import type { CommandPart, Decomposition } from './model/decomposition.ts'
import { CAPS } from './model/limits.ts'
import { SHELL_BUILTINS } from './programs/program-names.ts'
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
  const found = decomposeUnproven(source)
  return needsExactWords(found) ? { ...found, exact: exactCommands(source, decomposeArgv) } : found
}

/** The same for code that is rated and not proven: without the exact commands. */
export function decomposeUnproven(source: string): Decomposition {
  return new Visit().run({ kind: 'source', text: source, frame: start(source) })
}

/** Builtins that are judged by their words alone. */
const PLAIN_BUILTINS: ReadonlySet<string> = new Set(['echo', 'printf', ':', 'true', 'false', 'test', '[', 'pwd'])

function needsExactWords({ intricate, problems, parts }: Decomposition): boolean {
  if (problems.some(({ kind }) => kind !== 'odd-text')) return false
  return intricate === true || parts.some(isOpen)
}

/** Has words that the shell expands, runs in another folder or through another program, or changes the shell. */
function isOpen({ program, cwd, via, assignments, args, redirections }: CommandPart): boolean {
  return (
    cwd !== '' ||
    via.length + assignments.length > 0 ||
    args.some(({ glob, text }) => glob || /[$`{]/.test(text)) ||
    redirections.some(({ target }) => target === null) ||
    (program !== null && SHELL_BUILTINS.has(program) && !PLAIN_BUILTINS.has(program))
  )
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
