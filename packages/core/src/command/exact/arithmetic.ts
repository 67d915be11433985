import { type ArithmeticExpression, parse } from 'unbash'
import { type ExactState, Inexact, isInteger, SOME_NUMBER, type Value } from './state.ts'

/** A number as bash reads it; `08` would be an error, which ends the command. */
const NUMBER = /^(?:\d{1,18}|0[xX][0-9a-fA-F]{1,15})$/
const NAME = /^[A-Za-z_]\w*$/
const ASSIGNS = /^(?:[-+*/%&|^]|<<|>>)?=$/
/** Text that holds arithmetic and nothing that is expanded first. */
const PLAIN = /^[\w\s+\-*/%<>=!&|^~?:,()]{0,256}$/

/** The value of an expansion inside arithmetic. */
export type ReadPart = (
  part: NonNullable<(ArithmeticExpression & { type: 'ArithmeticWord' })['parts']>[number],
) => Value

/**
 * Evaluates arithmetic of numbers, and of variables that hold numbers. The text of any other variable would be evaluated
 * once more, with the commands in its indexes.
 */
export function computeExpression(
  expression: ArithmeticExpression | undefined,
  state: ExactState,
  read: ReadPart,
): void {
  if (expression === undefined) throw new Inexact()
  // A division by zero ends the shell.
  state.mayEnd()
  switch (expression.type) {
    case 'ArithmeticBinary': {
      const sets = ASSIGNS.test(expression.operator)
      computeExpression(expression.right, state, read)
      if (!sets || expression.operator !== '=') computeExpression(expression.left, state, read)
      if (sets) setName(expression.left, state)
      return
    }
    case 'ArithmeticUnary':
      computeExpression(expression.operand, state, read)
      if (expression.operator === '++' || expression.operator === '--') setName(expression.operand, state)
      return
    case 'ArithmeticTernary':
      for (const one of [expression.test, expression.consequent, expression.alternate])
        computeExpression(one, state, read)
      return
    case 'ArithmeticGroup':
      computeExpression(expression.expression, state, read)
      return
    case 'ArithmeticWord':
      computeWord(expression, state, read)
      return
    case 'ArithmeticCommandExpansion':
      throw new Inexact()
  }
}

function computeWord(
  { value, parts }: ArithmeticExpression & { type: 'ArithmeticWord' },
  state: ExactState,
  read: ReadPart,
): void {
  const text = value.trim()
  const [only] = parts ?? []
  if (parts !== undefined && only !== undefined) {
    if (parts.length !== 1 || !isInteger(read(only))) throw new Inexact()
    return
  }
  const plain = /^\$(?:\{(\w+)\}|([A-Za-z_]\w*|[#?\d]))$/.exec(text)
  if (plain !== null) {
    const part = { type: 'SimpleExpansion', pos: 0, end: 0, text: `$${plain[1] ?? plain[2]}` } as const
    if (!isInteger(read(part))) throw new Inexact()
  } else if (!NUMBER.test(text) && !(NAME.test(text) && isInteger(state.get(text)))) throw new Inexact()
}

function setName(target: ArithmeticExpression, state: ExactState): void {
  const name = target.type === 'ArithmeticWord' && target.parts === undefined ? target.value.trim() : ''
  if (!NAME.test(name)) throw new Inexact()
  state.set(name, SOME_NUMBER)
}

/** Evaluates arithmetic that is the text of a word: `let 'a=1+1'`, `declare -i n='3*4'`. */
export function computeText(text: string | null, state: ExactState): void {
  if (text === null || !PLAIN.test(text)) throw new Inexact()
  const { commands, errors } = parse(`((${text}))`)
  const node = commands[0]?.command
  const found = node?.type === 'Pipeline' && node.commands.length === 1 ? node.commands[0] : node
  if (commands.length !== 1 || (errors?.length ?? 0) > 0 || found?.type !== 'ArithmeticCommand') throw new Inexact()
  computeExpression(found.expression, state, () => {
    throw new Inexact()
  })
}
