import { applyBuiltin, evaluatedWords } from './builtins.ts'
import { CAPS } from './caps.ts'
import type { CommandPart } from './decomposition.ts'
import { type Frame, type Input, NO_INPUT, type Placed } from './frame.ts'
import { type Inner, joinedCode, type SimpleCommand } from './inner.ts'
import { WELL_KNOWN } from './known-names.ts'
import { hasOddName } from './odd-characters.ts'
import { Scope } from './scope.ts'
import { readShell, SHELLS } from './shells.ts'
import type { Visit } from './visit.ts'
import type { ShellWord } from './words.ts'
import { wrappedCommands } from './wrappers.ts'

const SESSIONS: ReadonlySet<string> = new Set(['ssh', 'su', 'sudo', 'doas', 'runuser', 'pkexec'])

/** Emits one simple command as a part, then what it would itself run. */
export function runSimple(visit: Visit, command: SimpleCommand & Placed, frame: Frame): void {
  const [first] = command.words
  if (first === undefined) {
    if (command.assignments.length > 0 || command.redirections.length > 0) emit(visit, command, frame, '', '')
    return
  }
  const path = first.glob || first.value === '' ? null : first.value
  const program = path === null ? null : baseName(path)
  emit(visit, command, frame, program, path)
  if (program === null || path === null) {
    runUnknown(visit, first, command, frame)
    return
  }
  if (hasOddName(path)) visit.problems.add('odd-characters', 'names a program with unusual characters', command.span)
  const name = program.toLowerCase()
  const args = command.words.slice(1)
  if (command.sameShell) {
    applyBuiltin(name, args, frame.scope)
    if (visit.defined.has(program)) {
      frame.scope.forget()
      frame.scope.cwd = null
    }
  }
  for (const text of evaluatedWords(name, args)) visit.evaluated(text, frame)
  for (const inner of innerOf(visit, name, command, frame).toReversed()) enter(visit, inner, command, frame)
}

function baseName(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name === '' ? null : name
}

function emit(
  visit: Visit,
  command: SimpleCommand & Placed,
  frame: Frame,
  program: string | null,
  path: string | null,
): void {
  visit.parts.push({
    program,
    path,
    args: command.words.slice(1).map(({ text, value, glob }) => ({ text, value, glob })),
    assignments: command.assignments,
    redirections:
      frame.redirections.length === 0 ? command.redirections : [...frame.redirections, ...command.redirections],
    via: frame.via,
    cwd: frame.scope.cwd,
    stdin: standardInput(frame.input),
    text: command.text,
    span: command.span,
  })
}

function standardInput(input: Input): CommandPart['stdin'] {
  if (input.kind !== 'text') return input
  return input.known ? { kind: 'literal', text: input.text } : { kind: 'piped' }
}

/** A program named by something unknown. If that word may vanish, what follows would run instead. */
function runUnknown(visit: Visit, first: ShellWord, command: SimpleCommand & Placed, frame: Frame): void {
  visit.problems.add('dynamic', 'runs a program whose name is not known', command.span)
  const next = command.words.findIndex((word) => !word.mayVanish)
  if (!first.mayVanish || next === -1) return
  const words = command.words.slice(next)
  if (words[0]?.value === null || words[0]?.value.startsWith('-') === true) return
  enter(visit, { kind: 'words', label: first.text.slice(0, 40), words }, command, frame)
}

function innerOf(visit: Visit, name: string, command: SimpleCommand & Placed, frame: Frame): readonly Inner[] {
  const args = command.words.slice(1)
  if (SHELLS.has(name)) return shellInner(name, args, frame.input)
  switch (name) {
    case 'eval':
      return args.length === 0 ? [] : [joinedCode('eval', args, { sameShell: true })]
    case 'trap':
      return args.length > 1 && args[0]?.value !== '-' && args[0]?.value !== ''
        ? [joinedCode('trap', args[0]?.value === '--' ? args.slice(1, 2) : args.slice(0, 1))]
        : []
    case 'source':
    case '.':
      return args[0]?.value === '/dev/stdin' || args[0]?.value === '-' ? fedCode(`${name}`, frame.input) : []
    case 'alias':
      return args.flatMap((word) => aliasInner(visit, word, command))
    default: {
      const inner = wrappedCommands(name, command.words)
      // Without a command these start a shell, and it reads what they are fed.
      return inner.length === 0 && SESSIONS.has(name) ? fedCode(name, frame.input) : inner
    }
  }
}

function shellInner(name: string, args: readonly ShellWord[], input: Input): readonly Inner[] {
  const use = readShell(name, args)
  switch (use.kind) {
    case 'code':
      return [use.inner]
    case 'stdin':
      return fedCode(name, input)
    case 'script':
      return []
    case 'unknown':
      return [{ kind: 'unknown', message: 'starts a shell with words that are not known' }]
  }
}

function fedCode(label: string, input: Input): readonly Inner[] {
  return input.kind === 'text' ? [{ kind: 'code', label, text: input.text, known: input.known }] : []
}

function aliasInner(visit: Visit, word: ShellWord, command: Placed): readonly Inner[] {
  const equals = word.template.indexOf('=')
  if (equals < 1) return []
  const name = word.template.slice(0, equals)
  if (WELL_KNOWN.has(name)) visit.problems.add('dynamic', 'defines an alias with the name of a program', command.span)
  visit.defined.add(name)
  return [{ kind: 'code', label: 'alias', text: word.template.slice(equals + 1), known: word.value !== null }]
}

/** Goes on inside, one wrapper further. */
function enter(visit: Visit, inner: Inner, command: SimpleCommand & Placed, frame: Frame): void {
  if (inner.kind === 'unknown') {
    visit.problems.add('dynamic', inner.message, command.span)
    return
  }
  if (frame.wrappers >= CAPS.wrappers) {
    visit.problems.add('too-deep', `is wrapped more than ${CAPS.wrappers} times`, command.span)
    return
  }
  const sameShell = inner.sameShell === true && command.sameShell
  const scope = sameShell ? frame.scope : frame.scope.copy()
  if (inner.elsewhere === true) scope.cwd = null
  const wrapped: Partial<Frame> = {
    scope,
    via: [...frame.via, inner.label],
    wrappers: frame.wrappers + 1,
    redirections: [],
  }
  if (inner.kind === 'words') {
    visit.push([
      {
        kind: 'simple',
        command: { ...command, words: inner.words, assignments: inner.assignments ?? [], redirections: [], sameShell },
        frame: { ...frame, ...wrapped },
      },
    ])
    return
  }
  if (!inner.known) visit.problems.add('dynamic', 'builds shell code from a value that is not known', command.span)
  const started = sameShell ? scope : newShell(scope, inner.positional ?? null)
  const input = frame.input.kind === 'text' && inner.text === frame.input.text ? NO_INPUT : frame.input
  const inside = visit.deeper(frame, { ...wrapped, scope: started, span: command.span, input })
  if (inside !== null) visit.push([{ kind: 'source', text: inner.text, frame: inside }])
}

/** A new shell starts in the same folder with parameters of its own; unexported variables do not reach it. */
function newShell(scope: Scope, positional: Scope['positional']): Scope {
  return new Scope(scope.cwd, positional)
}
