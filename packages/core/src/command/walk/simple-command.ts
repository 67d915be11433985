import { hasOddName } from '../checks/odd-characters.ts'
import type { Input } from '../expansion/standard-input.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { CommandPart, PartFlow } from '../model/decomposition.ts'
import { guessedCommands, isSystemPattern } from '../nested/guessed-programs.ts'
import { baseName, lowerCase } from '../programs/program-names.ts'
import { evaluateBuiltin } from './builtin-evaluation.ts'
import { applyBuiltin } from './builtins.ts'
import { enterCall, enterInner } from './enter-nested.ts'
import type { Frame, PlacedCommand } from './frame.ts'
import { innerCommands } from './nested-commands.ts'
import type { Visit } from './visitor.ts'
import { scriptOf } from './written-files.ts'

const NO_FLOW: PartFlow = { input: 0, output: 0, words: 0 }

/** Emits one simple command as a part, then the commands that it runs. */
export function runSimple(visit: Visit, command: PlacedCommand, frame: Frame): void {
  const [first] = command.words
  if (first === undefined) {
    if (command.assignments.length > 0 || command.redirections.length > 0) emit(visit, command, frame, '', '')
    return
  }
  const path = first.glob || first.value === '' ? null : first.value
  const program = path === null ? null : baseName(path) || null
  if (program === null || path === null) {
    emit(visit, command, frame, program, path)
    runUnknown(visit, first, command, frame)
    return
  }
  if (hasOddName(path)) visit.problems.add('odd-characters', 'names a program with unusual characters', command.span)
  const name = lowerCase(program)
  const script = scriptOf(visit.files, name, path, command.words, frame.scope.cwd)
  emit(visit, command, frame, program, path, script?.text)
  const evaluated = evaluateBuiltin(visit, name, command.words, frame)
  if (command.sameShell) applyBuiltin(name, command.words, frame.input, frame.scope)
  const inner = evaluated.length > 0 ? evaluated : innerCommands(visit, name, command, frame, script)
  for (let at = inner.length - 1; at >= 0; at--) {
    const one = inner[at]
    if (one !== undefined) enterInner(visit, one, command, frame)
  }
  if (command.sameShell && visit.defined.has(path)) enterCall(visit, path, command, frame)
  if (command.redirections.length > 0 || name === 'tee' || name === 'cp' || name === 'mv')
    visit.files.remember(name, command, frame.input, frame.scope.cwd)
}

function emit(
  visit: Visit,
  command: PlacedCommand,
  frame: Frame,
  program: string | null,
  path: string | null,
  script?: string,
): void {
  const { reads, writes } = frame
  visit.parts.push({
    program,
    path,
    args: command.words.slice(1),
    assignments: command.assignments,
    redirections:
      frame.redirections.length === 0 ? command.redirections : [...frame.redirections, ...command.redirections],
    via: frame.via,
    cwd: frame.scope.cwd,
    ...(frame.scope.cwdLike === undefined ? {} : { cwdLike: frame.scope.cwdLike }),
    stdin: standardInput(frame.input),
    flow:
      reads === 0 && writes === 0 && command.stream === 0
        ? NO_FLOW
        : { input: reads, output: writes, words: command.stream },
    defined: command.sameShell && path !== null && visit.defined.has(path),
    script,
    text: command.text,
    span: command.span,
  })
}

function standardInput(input: Input): CommandPart['stdin'] {
  if (input.kind !== 'text') return input
  return input.known ? { kind: 'literal', text: input.text } : { kind: 'piped' }
}

/** A program with an unknown name. If that word may be empty, the next word would run instead. */
function runUnknown(visit: Visit, first: ShellWord, command: PlacedCommand, frame: Frame): void {
  const guesses = guessedCommands(first, command.words)
  if (guesses.length === 0 || !isSystemPattern(first.value ?? ''))
    visit.problems.add('dynamic', 'runs a program with an unknown name', command.span)
  for (const inner of guesses) enterInner(visit, inner, command, frame)
  const next = command.words.findIndex((word) => !word.mayVanish)
  if (!first.mayVanish || next === -1) return
  const words = command.words.slice(next)
  if (words[0]?.value === null || words[0]?.value.startsWith('-') === true) return
  enterInner(visit, { kind: 'words', label: first.text.slice(0, 40), words }, command, frame)
}
