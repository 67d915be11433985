import { computedNames } from '../expansion/evaluated-text.ts'
import { printedText } from '../expansion/known-output.ts'
import { NUMBER, type Scope } from '../expansion/scope.ts'
import type { Input } from '../expansion/standard-input.ts'
import type { ShellWord } from '../expansion/words.ts'

/** Builtins whose `NAME=value` words set variables. */
export const DECLARES: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'local'])
const NAMES_AFTER = new Set(['unset', 'mapfile', 'readarray', 'getopts'])
const CHANGES = new Set([
  ...DECLARES,
  ...NAMES_AFTER,
  ...'cd pushd popd read printf let source . eval set shift'.split(' '),
])
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/

/** Applies the effect of a builtin to the state of its shell. */
export function applyBuiltin(name: string, words: readonly ShellWord[], input: Input, scope: Scope): void {
  if (!CHANGES.has(name)) return
  const args = words.slice(1)
  if (name === 'cd' || name === 'pushd') changeFolder(name, args, scope)
  else if (name === 'popd') scope.cwd = null
  else if (name === 'read') readNames(args, input, scope)
  else if (NAMES_AFTER.has(name)) forgetNames(args, scope)
  else if (name === 'printf') printInto(words, scope)
  else if (name === 'source' || name === '.') scope.forgetToCode()
  else if (name === 'let') computeNames(args, scope)
  else if (name === 'eval') {
    if (args.some((word) => word.value === null)) scope.forget()
  } else if (name === 'set') setPositional(args, scope)
  else if (name === 'shift') shift(args, scope)
  else if (args.some((word) => word.value === '-n' || (word.value === null && !NAME.test(word.text)))) scope.forget()
}

function changeFolder(name: string, args: readonly ShellWord[], scope: Scope): void {
  const words = args.filter((word) => word.value === null || !/^-[LPe@n]+$|^--$/.test(word.value))
  const [target] = words
  if (target === undefined) scope.changeFolder(name === 'cd' ? '~' : null)
  else if (words.length === 1 && target.glob && target.value !== null) scope.changeToMatch(target.value)
  else if (words.length > 1 || target.value === null) scope.changeFolder(null)
  else if (/^[+-]\d*$/.test(target.value)) scope.changeFolder(null)
  else scope.changeFolder(target.value)
}

function forgetNames(args: readonly ShellWord[], scope: Scope): void {
  for (const word of args) {
    const name = NAME.exec(word.value ?? '')?.[0]
    if (word.value === null) scope.forget()
    else if (name !== undefined) scope.set(name, null)
  }
}

/** `let x=1`: what arithmetic sets is a number. */
function computeNames(args: readonly ShellWord[], scope: Scope): void {
  for (const { value } of args) {
    if (value === null) scope.forget()
    else for (const name of computedNames(value)) scope.set(name, NUMBER)
  }
}

/** `read name <<< text` with known text; otherwise the variables become unknown. */
function readNames(args: readonly ShellWord[], input: Input, scope: Scope): void {
  forgetNames(args, scope)
  if (input.kind === 'text' && input.known && /^[\d\s]*$/.test(input.text))
    for (const { value } of args) if (value !== null && NAME.test(value)) scope.set(value, NUMBER)
  const names = args.filter(({ value }) => value !== '-r').map(({ value }) => value ?? '')
  const [only] = names
  if (input.kind !== 'text' || !input.known || names.length !== 1 || only === undefined || !/^[A-Za-z_]\w*$/.test(only))
    return
  if (scope.isUntouched('IFS')) scope.set(only, (input.text.split('\n', 1)[0] ?? '').trim())
}

/** `printf -v name …`. */
function printInto(words: readonly ShellWord[], scope: Scope): void {
  const into = words[1]?.value
  if (words.some((word) => word.value === null) && into !== '-v') {
    if (into === null) scope.forget()
    return
  }
  if (into !== '-v') return
  const name = words[2]?.value ?? ''
  if (/^[A-Za-z_]\w*$/.test(name)) scope.set(name, printedText(words, { kind: 'none' }))
  else forgetNames(words.slice(1), scope)
}

function setPositional(args: readonly ShellWord[], scope: Scope): void {
  const dashes = args.findIndex((word) => word.value === '--')
  const first = args.findIndex((word) => word.value === null || !/^[-+]/.test(word.value))
  if (dashes === -1 && first !== 0) {
    if (first !== -1) losePositional(scope)
    return
  }
  scope.positional = [null, ...args.slice(dashes + 1).map((word) => (word.glob ? null : word.value))]
}

function shift(args: readonly ShellWord[], scope: Scope): void {
  const before = scope.positional
  if (before === null) return
  if (args.length > 0) losePositional(scope)
  else scope.positional = [before[0] ?? null, ...before.slice(2)]
}

/** `@` stands for the parameters in the state of the shell. */
function losePositional(scope: Scope): void {
  scope.positional = null
  scope.set('@', null)
}
