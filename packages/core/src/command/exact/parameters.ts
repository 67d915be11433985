import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart } from 'unbash'
import { VARIABLES } from '../../knowledge/compiled/commands.ts'
import {
  DATA,
  type ExactState,
  Inexact,
  isInteger,
  NUMBER_OR_NOTHING,
  SOME_NUMBER,
  textValue,
  type Value,
} from './state.ts'
import type { Expansion } from './words.ts'

/** Variables that bash itself computes. */
const NUMBERS: ReadonlySet<string> = new Set('# ? $ RANDOM SECONDS LINENO UID EUID PPID SHLVL'.split(' '))
/** Numbers of a job that may not have been started, or that only newer versions know. */
const MAYBE_NUMBERS: ReadonlySet<string> = new Set(['!', 'SRANDOM', 'BASHPID', 'EPOCHSECONDS'])
const TEXTS: ReadonlySet<string> = new Set(['-', '0', 'BASH_VERSION', 'OSTYPE', 'HOSTTYPE', 'PIPESTATUS', 'FUNCNAME'])
/** Transformations of a value into another text; `P` would expand it as a prompt. */
const TRANSFORMS: ReadonlySet<string> = new Set(['U', 'u', 'L', 'Q', 'E', 'A', 'K', 'a', 'k'])
const NAME = /^[A-Za-z_]\w*$/

/** The value of `$x` or `${x…}`. What bash evaluates on the way (indexes, offsets, other names) must be certain. */
export function expandParameter(
  part: SimpleExpansionPart | ParameterExpansionPart,
  state: ExactState,
  words: Expansion,
): Value {
  if (part.type === 'SimpleExpansion') return lookUp(part.text.slice(1), state)
  const { parameter, prefix, index, operation } = part
  // A length below zero ends the shell.
  if (operation !== undefined) state.mayEnd()
  if (index !== undefined && !/^(?:[@*]|\d{1,6})$/.test(index.text)) throw new Inexact()
  if (prefix === '#') {
    if (operation !== undefined) throw new Inexact()
    lookUp(parameter, state)
    return SOME_NUMBER
  }
  if (prefix === '!') return named(part, state)
  const found = index === undefined ? lookUp(parameter, state) : element(parameter, index.text, state)
  return operation === undefined ? found : operate(found, operation, words)
}

function lookUp(name: string, state: ExactState): Value {
  if (name === '@' || name === '*') {
    const items = state.positional?.map((value) => (value.kind === 'text' ? value.text : null)) ?? [null]
    return name === '@' && items.every((item) => item !== null) ? { kind: 'list', items } : DATA
  }
  if (/^[1-9]\d*$/.test(name)) return state.positional?.[Number(name) - 1] ?? DATA
  const held = state.get(name)
  if (held?.kind === 'list') return held.items[0] === undefined ? DATA : textValue(held.items[0])
  if (held !== undefined) return held
  if (NUMBERS.has(name)) return SOME_NUMBER
  if (MAYBE_NUMBERS.has(name)) return NUMBER_OR_NOTHING
  // Other variables of the environment may hold secrets.
  if (TEXTS.has(name) || VARIABLES.public.has(name)) return DATA
  throw new Inexact()
}

function element(name: string, index: string, state: ExactState): Value {
  const first = lookUp(name, state)
  const held = state.get(name)
  if (index === '@' && held?.kind === 'list') return held
  return index === '0' && first.kind === 'text' ? first : DATA
}

/** `${!x}`, and `${!a[@]}` for the indexes of an array. */
function named({ parameter, index, operation }: ParameterExpansionPart, state: ExactState): Value {
  const held = state.get(parameter)
  if (operation !== undefined || held === undefined) throw new Inexact()
  if (index !== undefined) {
    if (index.text !== '@' && index.text !== '*') throw new Inexact()
    return DATA
  }
  if (held.kind !== 'text' || !NAME.test(held.text) || state.get(held.text) === undefined) throw new Inexact()
  return lookUp(held.text, state)
}

function operate(found: Value, operation: ParameterOperation, words: Expansion): Value {
  switch (operation.type) {
    case 'Default':
      // `=` sets the variable, and `?` ends the shell.
      if (operation.operator.endsWith('=') || operation.operator.endsWith('?')) throw new Inexact()
      words.value(operation.operand)
      return operation.operator === ':-' && found.kind === 'text' && found.text !== '' ? found : DATA
    case 'Remove':
      words.visit(operation.operand.parts ?? [])
      return DATA
    case 'Replace':
      words.visit(operation.pattern.parts ?? [])
      words.visit(operation.replacement.parts ?? [])
      return DATA
    case 'Slice':
      for (const word of [operation.offset, operation.length])
        if (word !== undefined && !isInteger(trimmed(words.value(word)))) throw new Inexact()
      return DATA
    case 'CaseModification':
      words.visit(operation.operand?.parts ?? [])
      return DATA
    case 'Transform':
      if (!TRANSFORMS.has(operation.operand.text)) throw new Inexact()
      return DATA
    default:
      throw new Inexact()
  }
}

function trimmed(value: Value): Value {
  return value.kind === 'text' ? textValue(value.text.trim()) : value
}
