import { SHELL, type ShellNames } from './compiled/shell.ts'
import { Words } from './words.ts'

/** Languages whose inline code is read. */
export type Language = 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'r' | 'awk' | 'osascript' | 'other'

/** What a call in inline code does; `interpreters.yaml` explains each. */
export type CallEffect =
  | 'run'
  | 'delete'
  | 'delete-all'
  | 'write'
  | 'move'
  | 'copy'
  | 'read'
  | 'open'
  | 'fetch'
  | 'send'
  | 'connect'
  | 'eval'
  | 'query'
  | 'reach'

/** A program that runs another command; `wrappers.yaml` explains each key. */
export interface WrapperRow {
  /** Letters of options with a value: `u` for `-u root`. */
  readonly short?: string
  /** Long options with a value, without dashes. */
  readonly long?: readonly string[]
  readonly words_before?: number
  readonly assignments?: true
  readonly no_run_options?: readonly string[]
  readonly code_options?: readonly string[]
  readonly only_code_options?: true
  readonly joined?: true
  readonly elsewhere?: true
  readonly directory_options?: readonly string[]
  readonly options_anywhere?: true
  readonly after_double_dash?: true
  readonly rest_options?: readonly string[]
}

/** How a program that runs another reads the words before it; `exact-wrappers.yaml` explains each key. */
export interface ExactWrapperRow {
  readonly flags?: readonly string[]
  readonly values?: readonly string[]
  readonly joined?: string
  readonly before?: number
  readonly stays?: true
}

/** How an interpreter takes code. */
export interface InterpreterRow {
  readonly language: Language
  readonly code_letters: string
  readonly code_options: readonly string[]
  readonly value_letters: string
}

/** How bash evaluates a text; `evaluation.yaml` explains each. */
export type Evaluation = 'arithmetic' | 'reference' | 'expansion' | 'code' | 'key'

/** A builtin that evaluates its words once more. */
export interface EvaluatingRow {
  /** Letters of options with a value. */
  readonly short: string
  readonly options: Readonly<Record<string, Evaluation>>
  readonly operators: Readonly<Record<string, Evaluation>>
  readonly words?: Evaluation
  readonly declares?: true
}

/** Everything in `knowledge/shell`. */
export interface ShellKnowledge {
  /** By program, or by program and verb: `sudo`, `docker exec`. */
  readonly wrappers: Readonly<Record<string, WrapperRow>>
  readonly wrapper_aliases: Readonly<Record<string, string>>
  readonly exact_wrappers: Readonly<Record<string, ExactWrapperRow>>
  readonly interpreters: Readonly<Record<string, InterpreterRow>>
  readonly interpreter_aliases: Readonly<Record<string, string>>
  readonly calls: Readonly<Record<Language, { readonly [effect in CallEffect]?: readonly string[] }>>
  readonly evaluating_builtins: Readonly<Record<string, EvaluatingRow>>
  readonly names: Readonly<Record<ShellNames, readonly string[]>>
}

let parsed: ShellKnowledge | undefined

/** What is known about shell commands, parsed on first use. */
export function shellKnowledge(): ShellKnowledge {
  parsed ??= JSON.parse(SHELL) as ShellKnowledge
  return parsed
}

/** A list of `names.yaml`, read on first use. */
export function shellNames(list: ShellNames): Words {
  return new Words([{ [Symbol.iterator]: () => shellKnowledge().names[list][Symbol.iterator]() }])
}
