import type { ArithmeticExpression, WordPart } from 'unbash'
import { substitutedText } from './command-substitution.ts'
import { isNumberPart, variableOf } from './numbers.ts'
import { expandParameter } from './parameters.ts'
import type { Scope } from './scope.ts'
import { expandWord, unsplitValue } from './words.ts'

/** A text that bash evaluates again after the usual expansions. */
export interface EvaluatedText {
  /** With `0` for numbers and for unknown expansions. */
  readonly text: string
  /** The first expansion with an unknown value, as a reason names it; null when all are known. */
  readonly unknown: string | null
}

const UNNAMED = 'the output of a command'

/** The text that the parts of a word expand to. */
export function evaluatedText(parts: readonly WordPart[], scope: Scope): EvaluatedText {
  let text = ''
  let unknown: string | null = null
  const add = (part: WordPart): void => {
    const found = evaluatedPart(part, scope)
    if ('parts' in found) for (const inner of found.parts) add(inner)
    else {
      text += found.text
      unknown ??= found.unknown
    }
  }
  for (const part of parts) add(part)
  return { text, unknown }
}

const known = (text: string): EvaluatedText => ({ text, unknown: null })

function evaluatedPart(part: WordPart, scope: Scope): EvaluatedText | { readonly parts: readonly WordPart[] } {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return known(part.value)
    case 'DoubleQuoted':
    case 'LocaleString':
      return { parts: part.parts }
    case 'Glob':
      return part.parts === undefined ? known(part.value) : bracketed(part.parts, scope)
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const found = expandParameter(part, scope, unsplitValue)
      if (found.kind === 'value') return known(found.value)
      return isNumberPart(part, scope)
        ? known('0')
        : { text: '0', unknown: variableOf(part) ?? 'the value of a variable' }
    }
    case 'CommandExpansion': {
      const output = substitutedText(part.script, scope, expandWord)
      if (output !== null) return known(output)
      return isNumberPart(part, scope) ? known('0') : { text: '0', unknown: UNNAMED }
    }
    case 'ArithmeticExpansion':
      return known('0')
    case 'ProcessSubstitution':
      return known('/dev/fd/63')
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return known(part.text)
  }
}

/** `[$i]` in an unquoted word is a glob for the parser. */
function bracketed(parts: readonly WordPart[], scope: Scope): EvaluatedText {
  const inside = evaluatedText(parts, scope)
  return { text: `[${inside.text}]`, unknown: inside.unknown }
}

/** The words of an arithmetic expression, and the names that it sets. */
export interface ArithmeticWords {
  readonly read: readonly EvaluatedText[]
  readonly set: readonly string[]
}

const NAME = /^\s*([A-Za-z_]\w*)(?:\[.*)?$/s
/** More operators are not followed. */
const MAX_STEPS = 2000

/** What an arithmetic expression evaluates; null when it is too long to follow. */
export function arithmeticWords(expression: ArithmeticExpression, scope: Scope): ArithmeticWords | null {
  const read: EvaluatedText[] = []
  const set: string[] = []
  const stack: ArithmeticExpression[] = [expression]
  let steps = 0
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    if (++steps > MAX_STEPS) return null
    switch (one.type) {
      case 'ArithmeticBinary':
        if (/^(?:[-+*/%&|^]|<<|>>)?=$/.test(one.operator)) assigned(one.left, set)
        stack.push(one.right, one.left)
        break
      case 'ArithmeticUnary':
        if (one.operator === '++' || one.operator === '--') assigned(one.operand, set)
        stack.push(one.operand)
        break
      case 'ArithmeticTernary':
        stack.push(one.alternate, one.consequent, one.test)
        break
      case 'ArithmeticGroup':
        stack.push(one.expression)
        break
      case 'ArithmeticWord':
        read.push(one.parts === undefined ? plainText(one.value, scope) : evaluatedText(one.parts, scope))
        break
      case 'ArithmeticCommandExpansion':
        read.push(evaluatedText([{ ...one, type: 'CommandExpansion' }], scope))
        break
    }
  }
  return { read, set }
}

function assigned(target: ArithmeticExpression, set: string[]): void {
  const name = target.type === 'ArithmeticWord' ? NAME.exec(target.value)?.[1] : undefined
  if (name !== undefined) set.push(name)
}

const VARIABLE = /\$(?:\{(\w{1,64})\}|([A-Za-z_]\w{0,63}|[\d#?$!@*-])|(?=.))/g

/** A text with plain variables, as the parser leaves it in arithmetic and the reader of words in a template. */
export function plainText(text: string, scope: Scope): EvaluatedText {
  if (!text.includes('$')) return known(text)
  let unknown: string | null = null
  const expanded = text.replace(VARIABLE, (whole, braced: string | undefined, plain: string | undefined) => {
    const name = braced ?? plain
    if (name === undefined) return whole
    const part = { type: 'SimpleExpansion', pos: 0, end: 0, text: `$${name}` } as const
    const one = evaluatedText([part], scope)
    unknown ??= one.unknown
    return one.text
  })
  return { text: expanded, unknown }
}

const COMPUTED =
  /([A-Za-z_]\w{0,63})(?:\[[^\]]{0,64}\])?\s{0,8}(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?![=~]))|(?:\+\+|--)([A-Za-z_]\w{0,63})/g

/** The names that arithmetic in a text sets. */
export function computedNames(text: string): readonly string[] {
  const names: string[] = []
  for (const [, after, before] of text.matchAll(COMPUTED)) names.push(after ?? before ?? '')
  return names
}
