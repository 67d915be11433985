import { type EvaluatingRow, type Evaluation, shellKnowledge } from '../../knowledge/shell.ts'
import { holdsNumber } from '../expansion/numbers.ts'
import type { Attribute } from '../expansion/scope.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { Inner } from '../nested/nested-command.ts'
import { stepOverOptions } from '../programs/option-parser.ts'
import { evaluateArgument } from './evaluation.ts'
import type { Frame } from './frame.ts'
import type { Visit } from './visitor.ts'

const NONE: readonly Inner[] = []
const KEY = /^[^:]*"\s*:\s*/s

let rows: ReadonlyMap<string, EvaluatingRow> | undefined

function rowOf(name: string): EvaluatingRow | undefined {
  rows ??= new Map(Object.entries(shellKnowledge().evaluating_builtins))
  return rows.get(name)
}

/** Evaluates the words of a builtin that bash evaluates once more, and returns those that it runs as commands. */
export function evaluateBuiltin(
  visit: Visit,
  name: string,
  words: readonly ShellWord[],
  frame: Frame,
): readonly Inner[] {
  const row = rowOf(name)
  if (row === undefined) return NONE
  const inner: Inner[] = []
  const evaluate = (word: ShellWord | undefined, from: number, how: Evaluation): void => {
    if (word === undefined) return
    if (how !== 'code' && how !== 'key') evaluateArgument(visit, word, from, how, frame)
    else inner.push(codeOf(name, word, how === 'key' ? (KEY.exec(word.template)?.[0].length ?? 0) : from))
  }
  const options = stepOverOptions(words, 1, row)
  for (const { name: option, value } of options.found) {
    const how = Object.hasOwn(row.options, option) ? row.options[option] : undefined
    if (how !== undefined && value !== null) evaluate(words[value.at], value.from, how)
  }
  const operators = Object.keys(row.operators).length > 0
  words.forEach((word, at) => {
    const operator = words[at - 1]?.value ?? ''
    const how = at > 1 && Object.hasOwn(row.operators, operator) ? row.operators[operator] : undefined
    if (how !== undefined) evaluate(word, 0, how)
    else if (at > 0 && operators && maySplit(word, frame)) evaluate(word, 0, 'reference')
  })
  const rest = words.slice(options.next)
  if (row.words !== undefined) for (const word of rest) evaluate(word, 0, row.words)
  if (row.declares === true) declare(visit, options.found.map((option) => option.name).join(''), rest, frame)
  return inner
}

/** An unquoted value that may expand to an operator and its operand: `[ $x ]`. The environment is not suspected. */
function maySplit({ value, mayVanish, template }: ShellWord, { scope }: Frame): boolean {
  const name = /^\$\{?(\w+)\}?$/.exec(template)?.[1]
  return value === null && mayVanish && (name === undefined || (scope.mayHoldData(name) && !holdsNumber(name, scope)))
}

function codeOf(name: string, word: ShellWord, from: number): Inner {
  return { kind: 'code', label: name, text: word.template.slice(from), known: word.value !== null }
}

/** `declare -i x=…`: a value that is computed now, and whenever the variable is set. */
function declare(visit: Visit, flags: string, words: readonly ShellWord[], frame: Frame): void {
  const attribute = attributeOf(flags)
  for (const word of words) {
    const text = word.value ?? word.template
    const name = /^[A-Za-z_]\w*/.exec(text)?.[0]
    if (name === undefined || text[name.length] === '[') evaluateArgument(visit, word, 0, 'reference', frame)
    if (name === undefined) continue
    if (attribute !== undefined) frame.scope.declare(name, attribute)
    const equals = text.indexOf('=')
    if (equals === -1) continue
    if (attribute === 'integer') evaluateArgument(visit, word, equals + 1, 'arithmetic', frame)
    else if (attribute === 'reference') evaluateArgument(visit, word, equals + 1, 'reference', frame)
    else if ((/[aA]/.test(flags) || text[equals + 1] === '(') && !/^[A-Za-z_]\w*\+?=\(/.test(word.text))
      evaluateArgument(visit, word, equals + 1, 'expansion', frame)
  }
}

function attributeOf(flags: string): Attribute | undefined {
  if (flags.includes('i')) return 'integer'
  if (flags.includes('n')) return 'reference'
  return flags.includes('A') ? 'map' : undefined
}
