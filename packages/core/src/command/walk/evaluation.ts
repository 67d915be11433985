import type { ArithmeticExpression, Assignment, ParameterExpansionPart, Word } from 'unbash'
import { shellNames } from '../../knowledge/shell.ts'
import { arithmeticWords, type EvaluatedText, evaluatedText, plainText } from '../expansion/evaluated-text.ts'
import { holdsNumber } from '../expansion/numbers.ts'
import { looksLikeSubstitution, NUMBER } from '../expansion/scope.ts'
import type { ShellWord } from '../expansion/words.ts'
import type { Frame } from './frame.ts'
import type { Visit } from './visitor.ts'

/**
 * How bash evaluates a text: as arithmetic, where names stand for their values; as the name of a variable, whose index is
 * arithmetic; or by expanding it once more, as a prompt.
 */
export type Evaluation = 'arithmetic' | 'reference' | 'expansion'

const INTEGERS = shellNames('integer_variables')
const PROMPTS = shellNames('prompt_variables')
/** Variables that arithmetic is followed through. */
const MAX_NAMES = 32
const REFERENCE = /^[\s{]*[A-Za-z_]\w*\[(?:(.*)\]|(.*)$)/s
const NAMES = /(?<![\w$#])[A-Za-z_]\w*/g
const DELIMITER = 'END_OF_EVALUATED_TEXT'

/** Evaluates an arithmetic expression, and remembers what it sets. */
export function evaluateExpression(
  visit: Visit,
  expression: ArithmeticExpression | undefined,
  text: string,
  frame: Frame,
): void {
  const words = expression === undefined ? null : arithmeticWords(expression, frame.scope)
  if (words === null) {
    evaluate(visit, plainText(text.replace(/^\$(?:\[|\(\()/, ''), frame.scope), 'arithmetic', frame)
    frame.scope.forget()
    return
  }
  for (const word of words.read) evaluate(visit, word, 'arithmetic', frame)
  for (const name of words.set) frame.scope.set(name, NUMBER)
}

/** Evaluates a word of the source. */
export function evaluateWord(visit: Visit, word: Word, how: Evaluation, frame: Frame): void {
  const text = word.parts === undefined ? { text: word.value, unknown: null } : evaluatedText(word.parts, frame.scope)
  evaluate(visit, text, how, frame)
}

/** Evaluates the name of a variable, as `{name[i]}>file` has it. */
export function evaluateName(visit: Visit, name: string, frame: Frame): void {
  evaluate(visit, plainText(name, frame.scope), 'reference', frame)
}

/** Evaluates a word of a command from a position on. */
export function evaluateArgument(visit: Visit, word: ShellWord, from: number, how: Evaluation, frame: Frame): void {
  const { value, glob, text, template } = word
  // A variable that holds one of several file names.
  const named = glob && text.includes('$') ? plainText(text, frame.scope) : null
  if (named !== null && named.unknown !== null) evaluate(visit, named, how, frame)
  else if (value === null) evaluate(visit, plainText(template.slice(from), frame.scope), how, frame)
  else evaluate(visit, { text: value.slice(from), unknown: null }, how, frame)
}

function evaluate(visit: Visit, { text, unknown }: EvaluatedText, how: Evaluation, frame: Frame): void {
  if (unknown !== null) {
    const message = unknown.startsWith('$')
      ? `evaluates \`${unknown}\`, which can run commands`
      : `evaluates ${unknown} as code`
    visit.problems.add('evaluated', message, frame.span)
  }
  if (how === 'expansion') runSubstitutions(visit, text, frame)
  else if (how === 'reference') {
    const [, index, open] = REFERENCE.exec(text) ?? []
    const given = index ?? open
    if (given !== undefined && !/^[@*]$/.test(given)) evaluateNames(visit, given, frame)
  } else evaluateNames(visit, text, frame)
}

/** Arithmetic: a name stands for its value, which is arithmetic again. */
function evaluateNames(visit: Visit, text: string, frame: Frame): void {
  const seen = new Set<string>()
  const texts = [text]
  for (let one = texts.pop(); one !== undefined && seen.size < MAX_NAMES; one = texts.pop()) {
    runSubstitutions(visit, one, frame)
    for (const [name] of one.replace(/\$\(.*\)|`.*`/gs, '').matchAll(NAMES)) {
      if (seen.has(name) || holdsNumber(name, frame.scope)) continue
      seen.add(name)
      const value = frame.scope.get(name)
      if (value !== null) texts.push(value)
      else
        visit.problems.add(
          'evaluated',
          `evaluates the value of \`${name.slice(0, 64)}\`, which can run commands`,
          frame.span,
        )
    }
  }
}

/** Visits the commands in a text that bash expands once more. */
function runSubstitutions(visit: Visit, text: string, frame: Frame): void {
  if (!looksLikeSubstitution(text)) return
  visit.problems.add('evaluated', 'evaluates quoted text that contains a command', frame.span)
  const span = frame.span ?? { start: 0, end: frame.source.length }
  const scope = frame.scope.copy()
  const inside = visit.deeper(frame, { span, via: [...frame.via, '$(…)'], scope, redirections: [] })
  if (inside === null) return
  // A here-document expands as the text does, and leaves its quotes alone.
  const body = text.replace(/\\(?=[$`\\])/g, '').replaceAll(DELIMITER, '')
  visit.push([{ kind: 'source', text: `: <<${DELIMITER}\n${body}\n${DELIMITER}\n`, frame: inside }])
}

/** Evaluates what an expansion evaluates: its index, the offsets of a slice, the variable it names, a prompt. */
export function evaluateParameter(visit: Visit, node: ParameterExpansionPart, frame: Frame): void {
  const { index, operation, prefix, parameter } = node
  if (index !== undefined && !/^[@*]$/.test(index.value) && frame.scope.attribute(parameter) !== 'map')
    evaluateWord(visit, index, 'arithmetic', frame)
  if (operation?.type === 'Slice') {
    evaluateWord(visit, operation.offset, 'arithmetic', frame)
    if (operation.length !== undefined) evaluateWord(visit, operation.length, 'arithmetic', frame)
  }
  const value = { type: 'SimpleExpansion', pos: node.pos, end: node.end, text: `$${parameter}` } as const
  if (prefix === '!' && index === undefined && operation?.type !== 'Names')
    evaluate(visit, evaluatedText([value], frame.scope), 'reference', frame)
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) frame.scope.set(parameter, null)
  if (operation?.type !== 'Transform' || operation.operand.value !== 'P') return
  const text = frame.scope.get(parameter)
  if (text === null)
    visit.problems.add('dynamic', 'runs the value of a variable as a prompt', visit.spanOf(node, frame))
  else evaluate(visit, { text, unknown: null }, 'expansion', frame)
}

/** Evaluates the indexes of an assignment, and a value that bash computes or expands later. */
export function evaluateAssignment(visit: Visit, node: Assignment, frame: Frame): void {
  const { name, index, value } = node
  const attribute = frame.scope.attribute(name)
  if (index !== undefined && attribute !== 'map') evaluateWord(visit, index, 'arithmetic', frame)
  const how = attribute === 'integer' || INTEGERS.has(name) ? 'arithmetic' : attribute
  if (value.type === 'Word') {
    if (how === 'arithmetic' || how === 'reference') evaluateWord(visit, value, how, frame)
    else if (PROMPTS.has(name)) runSubstitutions(visit, frame.scope.get(name) ?? '', frame)
    return
  }
  if (how === 'map') return
  for (const element of value.elements) {
    if (how !== undefined) evaluateWord(visit, element, how, frame)
    else if (element.text.startsWith('[')) evaluateWord(visit, indexOf(element), 'arithmetic', frame)
  }
}

/** The index of `[$i]=value`. */
function indexOf(element: Word): Word {
  const { parts } = element
  if (parts === undefined) return { ...element, value: /^\[(.*?)\]\+?=/s.exec(element.value)?.[1] ?? '' }
  const end = parts.findIndex((part) => part.type === 'Literal' && /\]\+?=/.test(part.value))
  return { ...element, parts: end === -1 ? parts : parts.slice(0, end) }
}
