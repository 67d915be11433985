import type { CompoundCommand, CompoundList, ParsedScript, Redirected, SyntaxNode } from 'unbash'
import type { Redirection } from '../model/decomposition.ts'
import { isOwnName } from './names.ts'

/** Thrown inside this folder for whatever is not certain; the entry turns it into "not exact". */
export class Inexact {}

/** What a variable holds: exactly this text or list, some whole number or nothing, one file that a pattern matches, or any text. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'number'; readonly mayBeEmpty?: true }
  | { readonly kind: 'match'; readonly pattern: string }
  | { readonly kind: 'data' }

export const DATA: Value = { kind: 'data' }
export const SOME_NUMBER: Value = { kind: 'number' }
export const NUMBER_OR_NOTHING: Value = { kind: 'number', mayBeEmpty: true }
const INTEGER = /^-?(?:0|[1-9]\d{0,17})$/

export function textValue(text: string): Value {
  return { kind: 'text', text }
}

/** Whether arithmetic may read a value: anything else is evaluated once more and could run commands. */
export function isInteger(value: Value | undefined): boolean {
  return value?.kind === 'number' || (value?.kind === 'text' && INTEGER.test(value.text))
}

export type FunctionBody = CompoundCommand | Redirected | CompoundList

/** One word after expansion. */
export interface ExactWord {
  /** Null: any text. */
  readonly text: string | null
  /** The text is a pattern that the shell matches against files: as written, or by a loop over one. */
  readonly glob: 'written' | 'loop' | null
  /** Of an unknown word: it may be several words, or none. */
  readonly spread: boolean
  readonly isNumber: boolean
  /** The output of a process substitution. */
  readonly isPipe: boolean
  /** Stands for the files that a git command with these words lists. */
  readonly listed?: readonly string[]
  /** Stands for any file below it that `find` finds; the patterns for their names, if there are any. */
  readonly below?: readonly string[]
  /** `PATH="$PATH"`: passes on a variable as it is. */
  readonly keeps?: string
  /** The source has it without any expansion. */
  readonly isWritten: boolean
}

/** What the parts of this folder use of each other. */
export interface ExactWalk {
  readonly emit: (words: readonly ExactWord[], redirections: readonly Redirection[], state: ExactState) => void
  readonly run: (words: readonly ExactWord[], redirections: readonly Redirection[], state: ExactState) => void
  readonly script: (script: ParsedScript | undefined, state: ExactState) => void
  readonly code: (text: string, state: ExactState) => void
  readonly node: (node: SyntaxNode, state: ExactState) => void
  /** Code that runs when the shell ends. */
  readonly later: (text: string) => void
}

/** The state of one shell at one point, as far as it is certain. */
export class ExactState {
  readonly #vars: Map<string, Value>
  readonly #integers: Set<string>
  readonly #references: Set<string>
  readonly functions: Map<string, FunctionBody>
  /** Functions being called. */
  readonly calls: readonly string[]
  /** The folders it may be in: a `cd` that failed leaves the one before. */
  folders: readonly string[] = ['']
  /** Where the last `cd` leads if it succeeds. */
  arrived: readonly string[] = ['']
  /** Folders to return to with `popd`. */
  pushed: readonly (readonly string[])[] = []
  positional: readonly Value[] | null = []
  /** Variables with no meaning for a shell that only the command being run gets, or this shell got. */
  given: ReadonlyMap<string, Value> = new Map()
  /** IFS is no longer the default: nothing may be split. */
  splitsOtherwise = false
  /** Patterns are no longer matched. */
  noMatching = false
  /** Some variable may be an array: text in round brackets that `declare` gives it is expanded once more. */
  mayHaveArrays = false
  /** Commands in the background that nobody waited for. */
  running = 0
  /** The shell may end at any command: by `set -e`, `set -u` or a pattern that must match. */
  endsEarly = false
  /** In a pipeline: the shell ends when nobody reads it any more. */
  isPiped = false
  /** Below a program that may be ended alone. */
  isHeld = false
  /** Inside a subshell, a branch, a loop or a function. */
  isNested = false
  /** Inside a loop or a function: what it changes is there before it runs again. */
  isRepeated = false

  constructor(before?: ExactState, call?: string) {
    this.#vars = new Map(before === undefined ? [] : before.#vars)
    this.#integers = new Set(before === undefined ? [] : before.#integers)
    this.#references = new Set(before === undefined ? [] : before.#references)
    this.functions = new Map(before?.functions ?? [])
    this.calls = call === undefined ? (before?.calls ?? []) : [...(before?.calls ?? []), call]
    if (before === undefined) return
    this.folders = before.folders
    this.arrived = before.arrived
    this.pushed = before.pushed
    this.positional = before.positional
    this.given = before.given
    this.splitsOtherwise = before.splitsOtherwise
    this.noMatching = before.noMatching
    this.mayHaveArrays = before.mayHaveArrays
    this.running = before.running
    this.endsEarly = before.endsEarly
    this.isPiped = before.isPiped
    this.isHeld = before.isHeld
    this.isNested = before.isNested
    this.isRepeated = before.isRepeated
  }

  /** A copy for code that may or may not run, or that runs in a shell of its own. */
  nested(): ExactState {
    const copy = new ExactState(this)
    copy.isNested = true
    return copy
  }

  get(name: string): Value | undefined {
    if (this.#references.has(name) && this.#vars.has(name)) return DATA
    return this.#vars.get(name) ?? this.given.get(name)
  }

  /** Sets a variable that only this command uses. */
  set(name: string, value: Value): void {
    if (!isOwnName(name) || this.#references.has(name)) throw new Inexact()
    if (this.#integers.has(name) && !isInteger(value)) throw new Inexact()
    this.#vars.set(name, this.#integers.has(name) ? someNumber(value) : value)
  }

  /** Sets a variable of bash that holds what was read. */
  setSpecial(name: 'REPLY' | 'MAPFILE'): void {
    this.#vars.set(name, DATA)
  }

  isComputed(name: string): boolean {
    return this.#integers.has(name)
  }

  /** `declare -i`: every value is computed from now on. */
  compute(name: string): void {
    const before = this.#vars.get(name)
    if (!isOwnName(name) || this.#references.has(name) || (before !== undefined && !isInteger(before)))
      throw new Inexact()
    this.#integers.add(name)
  }

  /** `declare -n`: the variable stands for another from now on, and is only read. */
  refer(name: string, target: string): void {
    if (!isOwnName(name) || !isOwnName(target) || this.#vars.has(name) || this.#references.has(target))
      throw new Inexact()
    this.#references.add(name)
    this.#vars.set(name, DATA)
  }

  /** Refuses what may end the shell while something of it goes on in the background. */
  mayEnd(): void {
    if (this.running > 0) throw new Inexact()
  }

  /** Makes variables unknown that code may have set, however often it ran and wherever it stopped. */
  forget(names: ReadonlyMap<string, 'number' | 'data'>): void {
    for (const [name, kind] of names) {
      const before = this.#vars.get(name)
      const stays = (kind === 'number' || this.#integers.has(name)) && isInteger(before)
      if (name === '@') this.positional = null
      else if (isOwnName(name) && !this.#references.has(name)) this.#vars.set(name, stays ? someNumber(before) : DATA)
      else throw new Inexact()
    }
  }

  /** Nothing is certain any more but the names. */
  forgetAll(): void {
    for (const name of this.#vars.keys()) this.#vars.set(name, DATA)
    this.positional = null
    this.splitsOtherwise = true
  }

  /** Continues with either this state or those after branches of it. */
  join(branches: readonly ExactState[]): void {
    for (const branch of branches) {
      for (const [name, value] of branch.#vars) if (!isSame(this.#vars.get(name), value)) this.#vars.set(name, DATA)
      // Whether its values are computed is not known any more.
      for (const name of branch.#integers) if (!this.#integers.has(name)) throw new Inexact()
      for (const name of branch.#references) this.#references.add(name)
      for (const [name, body] of branch.functions) if (this.functions.get(name) !== body) throw new Inexact()
      this.folders = [...new Set([...this.folders, ...branch.folders])]
      if (branch.pushed.length !== this.pushed.length) throw new Inexact()
      if (branch.positional !== this.positional) this.positional = null
      this.splitsOtherwise ||= branch.splitsOtherwise
      this.noMatching ||= branch.noMatching
      this.endsEarly ||= branch.endsEarly
      this.running = Math.max(this.running, branch.running)
    }
  }
}

function someNumber(value: Value | undefined): Value {
  return value?.kind === 'number' ? value : SOME_NUMBER
}

function isSame(one: Value | undefined, other: Value): boolean {
  return one === other || (one?.kind === 'text' && other.kind === 'text' && one.text === other.text)
}
