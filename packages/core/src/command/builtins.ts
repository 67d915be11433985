import type { Scope } from './scope.ts'
import type { ShellWord } from './words.ts'

/** Builtins whose `NAME=value` words set variables. */
export const DECLARES: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'readonly', 'local'])
const NAMES_AFTER = new Set(['read', 'unset', 'mapfile', 'readarray', 'getopts'])
const EVALUATES = new Set(['test', '[', 'let', 'unset', 'read', 'mapfile', 'wait'])
const NAME = /^[A-Za-z_][A-Za-z0-9_]*/

/** The words a builtin evaluates as arithmetic or as an array's index, although they are quoted. */
export function evaluatedWords(name: string, args: readonly ShellWord[]): readonly string[] {
  const values = args.map((word) => word.value).filter((value) => value !== null)
  if (EVALUATES.has(name)) return values
  if (DECLARES.has(name)) return values.map((value) => value.split('=', 1)[0] ?? '')
  if (name === 'printf') return values.filter((_, at) => values[at - 1] === '-v')
  return []
}

/** What a builtin leaves behind in the shell that runs it. */
export function applyBuiltin(name: string, args: readonly ShellWord[], scope: Scope): void {
  if (name === 'cd' || name === 'pushd') changeFolder(name, args, scope)
  else if (name === 'popd') scope.cwd = null
  else if (NAMES_AFTER.has(name)) forgetNames(args, scope)
  else if (name === 'printf' && args.some((word) => word.value === null || word.value.startsWith('-v')))
    forgetNames(args, scope)
  else if (name === 'let' || name === 'source' || name === '.') scope.forget()
  else if (name === 'eval' && args.some((word) => word.value === null)) scope.forget()
  else if (name === 'set') setPositional(args, scope)
  else if (name === 'shift') scope.positional = null
  else if (DECLARES.has(name) && args.some((word) => word.value === null || word.value === '-n')) scope.forget()
}

function changeFolder(name: string, args: readonly ShellWord[], scope: Scope): void {
  const words = args.filter((word) => word.value === null || !/^-[LPe@n]+$|^--$/.test(word.value))
  const [target] = words
  if (target === undefined) scope.changeFolder(name === 'cd' ? '~' : null)
  else if (words.length > 1 || target.glob || target.value === null) scope.changeFolder(null)
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

function setPositional(args: readonly ShellWord[], scope: Scope): void {
  const dashes = args.findIndex((word) => word.value === '--')
  if (dashes === -1) {
    if (args.some((word) => word.value === null || !/^[-+]/.test(word.value))) scope.positional = null
    return
  }
  scope.positional = [null, ...args.slice(dashes + 1).map((word) => (word.glob ? null : word.value))]
}
