import { AWKS, interpreterOf } from '../code/inline-code.ts'
import type { Input } from '../expansion/standard-input.ts'
import type { ShellWord } from '../expansion/words.ts'
import { editorCommands, embeddedCommands } from '../nested/embedded-commands.ts'
import { gitCommands } from '../nested/git.ts'
import { codeCommands } from '../nested/interpreters.ts'
import { type Inner, joinedCode } from '../nested/nested-command.ts'
import { readShell, SHELLS } from '../nested/shells.ts'
import { stdinCode, stdinCommands } from '../nested/stdin-programs.ts'
import { wrappedCommands } from '../nested/wrappers.ts'
import { WELL_KNOWN } from '../programs/program-names.ts'
import { enterTrap } from './enter-nested.ts'
import type { Frame, Placed, PlacedCommand } from './frame.ts'
import type { Visit } from './visitor.ts'
import type { WrittenScript } from './written-files.ts'

const NONE: readonly Inner[] = []

/** The commands that a simple command runs. */
export function innerCommands(
  visit: Visit,
  name: string,
  command: PlacedCommand,
  frame: Frame,
  script: WrittenScript | undefined,
): readonly Inner[] {
  const { words } = command
  if (script !== undefined) return scriptInner(name, script, words)
  if (SHELLS.has(name)) return shellInner(name, words.slice(1), frame.input)
  switch (name) {
    case 'eval':
      return words.length === 1 ? NONE : [joinedCode('eval', words.slice(1), { sameShell: true })]
    case 'trap':
      return trapInner(visit, words.slice(1), command, frame)
    case 'source':
    case '.': {
      const file = words[1]?.value
      return file === '/dev/stdin' || file === '-' ? stdinCode(name, frame.input) : NONE
    }
    case 'alias':
      return words.slice(1).flatMap((word) => aliasInner(visit, word, command))
    case 'git':
      return gitCommands(words.slice(1))
    default:
      return otherInner(name, words, frame.input)
  }
}

function otherInner(name: string, words: readonly ShellWord[], input: Input): readonly Inner[] {
  const told = embeddedCommands(name, words, input)
  const wrapped = wrappedCommands(name, words, input)
  if (told.length > 0) return wrapped.length > 0 ? [...told, ...wrapped] : told
  if (wrapped.length > 0) return wrapped
  const fed = stdinCommands(name, words, input)
  if (fed.length > 0) return fed
  const edited = editorCommands(name, words)
  if (edited.length > 0) return edited
  return interpreterOf(name) === null && !AWKS.has(name) ? NONE : codeCommands(name, words.slice(1), input)
}

/** A script whose text the same source wrote: its commands are known. */
function scriptInner(name: string, script: WrittenScript, words: readonly ShellWord[]): readonly Inner[] {
  const positional = [null, ...words.slice(2).map(({ value, glob }) => (glob ? null : value))]
  const label = `${name} script`
  if (script.isShell)
    return [
      { kind: 'code', label, text: script.text, known: true, positional, sameShell: name === '.' || name === 'source' },
    ]
  return codeCommands(name, [], { kind: 'text', text: script.text, known: true })
}

const isExit = (signal: string | null) => signal === 'EXIT' || signal === '0'
/** Signals that end a shell, which are usually trapped together. */
const AT_END: ReadonlySet<string> = new Set(['EXIT', '0', 'INT', 'TERM', 'HUP', 'QUIT', '1', '2', '3', '15'])

function trapInner(visit: Visit, args: readonly ShellWord[], command: PlacedCommand, frame: Frame): readonly Inner[] {
  const first = args[0]?.value
  if (args.length < 2 || first === '-' || first === '') return NONE
  // A trap set in a branch or a function sees later changes: its values are unknown.
  const own = command.sameShell && frame.depth === 0 && frame.calls.length === 0
  if (own && first != null && first !== '--' && args.slice(1).some(({ value }) => isExit(value))) {
    if (args.slice(1).every(({ value }) => value !== null && AT_END.has(value.replace(/^SIG/, '')))) {
      enterTrap(visit, first, command, frame)
      return NONE
    }
  }
  return [joinedCode('trap', first === '--' ? args.slice(1, 2) : args.slice(0, 1))]
}

function shellInner(name: string, args: readonly ShellWord[], input: Input): readonly Inner[] {
  const use = readShell(name, args)
  switch (use.kind) {
    case 'code':
      return [use.inner]
    case 'stdin':
      return stdinCode(name, input)
    case 'script':
      return NONE
    case 'unknown':
      return [{ kind: 'unknown', message: 'starts a shell with unknown words' }]
  }
}

function aliasInner(visit: Visit, word: ShellWord, command: Placed): readonly Inner[] {
  const equals = word.template.indexOf('=')
  if (equals < 1) return NONE
  const name = word.template.slice(0, equals)
  if (WELL_KNOWN.has(name)) visit.problems.add('dynamic', 'defines an alias with the name of a program', command.span)
  const text = word.template.slice(equals + 1)
  visit.defined.defineAlias(name, text)
  return [{ kind: 'code', label: 'alias', text, known: word.value !== null }]
}
