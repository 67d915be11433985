import type { TestExpression, Word } from 'unbash'
import { isOwnName } from './names.ts'
import { type ExactState, type ExactWalk, Inexact, isInteger } from './state.ts'
import { Expansion, literal } from './words.ts'

const FILES: ReadonlySet<string> = new Set('-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S'.split(' '))
const TEXTS: ReadonlySet<string> = new Set(['=', '==', '!=', '<', '>'])
const NUMBERS: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/** `[[ … ]]`: words are compared as text, files are looked at by their known names, and only known numbers are computed. */
export function checkCondition(expression: TestExpression, state: ExactState, walk: ExactWalk): void {
  const words = new Expansion(state, walk)
  switch (expression.type) {
    case 'TestLogical':
      for (const one of expression.operands) checkCondition(one, state, walk)
      return
    case 'TestNot':
      checkCondition(expression.operand, state, walk)
      return
    case 'TestGroup':
      checkCondition(expression.expression, state, walk)
      return
    case 'TestUnary':
      checkUnary(expression.operator, expression.operand, state, walk, words)
      return
    case 'TestBinary': {
      const { operator, left, right } = expression
      if (TEXTS.has(operator)) {
        words.value(left)
        visitPattern(right, words)
      } else if (operator === '=~') {
        words.value(left)
        words.visit(right.parts ?? [])
      } else if (NUMBERS.has(operator)) {
        for (const word of [left, right]) if (!isInteger(words.value(word))) throw new Inexact()
      } else throw new Inexact()
      return
    }
  }
}

function checkUnary(operator: string, operand: Word, state: ExactState, walk: ExactWalk, words: Expansion): void {
  if (operator === '-n' || operator === '-z') words.value(operand)
  else if (operator === '-v') {
    if (operand.parts !== undefined || !isOwnName(operand.value)) throw new Inexact()
  } else if (FILES.has(operator)) {
    const value = words.value(operand)
    if (value.kind !== 'text') throw new Inexact()
    walk.emit([literal('test'), literal(operator), literal(value.text)], [], state)
  } else throw new Inexact()
}

function visitPattern(word: Word, words: Expansion): void {
  if (word.parts !== undefined) words.visit(word.parts)
}
