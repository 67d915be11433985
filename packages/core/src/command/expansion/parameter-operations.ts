import type { ParameterOperation, Word } from 'unbash'
import { matchesPattern } from '../model/glob-pattern.ts'
import type { Scope } from './scope.ts'

/** The value of a word that the shell does not split; null when unknown. */
export type Operand = (word: Word, scope: Scope) => string | null

/** Longer values, and patterns with more stars, are not matched: the cost is quadratic. */
const MAX_WORKED = 128
const STARS = /\*[^*]*\*[^*]*\*/

/** Slices, case changes, defaults, prefix and suffix removal, and replacements of a known value; null otherwise. */
export function operate(value: string, operation: ParameterOperation, scope: Scope, operand: Operand): string | null {
  switch (operation.type) {
    case 'Slice':
      return slice(value, operation.offset, operation.length, scope, operand)
    case 'CaseModification':
      return operation.operand === undefined ? inCase(value, operation.operator) : null
    case 'Default': {
      const colon = operation.operator.startsWith(':')
      const missing = colon && value === ''
      if (operation.operator.endsWith('+')) return missing ? '' : operand(operation.operand, scope)
      return missing ? operand(operation.operand, scope) : value
    }
    case 'Remove': {
      const pattern = patternOf(operation.operand, scope, operand)
      return pattern === null ? null : cut(value, pattern, operation.operator)
    }
    case 'Replace': {
      const pattern = patternOf(operation.pattern, scope, operand)
      const by = operand(operation.replacement, scope)
      return pattern === null || by === null ? null : replace(value, pattern, by, operation.operator)
    }
    default:
      return null
  }
}

function slice(value: string, from: Word, count: Word | undefined, scope: Scope, operand: Operand): string | null {
  const offset = wholeNumber(operand(from, scope))
  const length = count === undefined ? value.length : wholeNumber(operand(count, scope))
  if (offset === null || length === null) return null
  const start = offset < 0 ? Math.max(0, value.length + offset) : offset
  return length < 0 ? value.slice(start, Math.max(start, value.length + length)) : value.slice(start, start + length)
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^ *-?\d{1,4} *$/.test(text) ? Number(text) : null
}

function inCase(value: string, operator: string): string {
  if (operator === '^^') return value.toUpperCase()
  if (operator === ',,') return value.toLowerCase()
  const first = value.slice(0, 1)
  return (operator === '^' ? first.toUpperCase() : first.toLowerCase()) + value.slice(1)
}

/** A pattern as written. Quotes make its special characters literal, so a quoted one may have none. */
function patternOf(word: Word, scope: Scope, operand: Operand): string | null {
  const plain = word.parts?.every((part) => part.type === 'Literal' || part.type === 'Glob') ?? true
  const value = plain ? word.value : operand(word, scope)
  if (value === null || value.length > MAX_WORKED || STARS.test(value)) return null
  return plain || !/[*?[\\]/.test(value) ? value : null
}

function cut(value: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string | null {
  if (value.length > MAX_WORKED) return null
  const front = operator.startsWith('#')
  const longest = operator.length === 2
  for (let step = 0; step <= value.length; step++) {
    const length = longest ? value.length - step : step
    const piece = front ? value.slice(0, length) : value.slice(value.length - length)
    if (matchesPattern(piece, pattern)) return front ? value.slice(length) : value.slice(0, value.length - length)
  }
  return value
}

function replace(value: string, pattern: string, by: string, operator: '/' | '//' | '/#' | '/%'): string | null {
  if (/[*?[\\]/.test(pattern) || pattern === '') return null
  if (operator === '//') return value.replaceAll(pattern, () => by)
  if (operator === '/#') return value.startsWith(pattern) ? by + value.slice(pattern.length) : value
  if (operator === '/%') return value.endsWith(pattern) ? value.slice(0, -pattern.length) + by : value
  return value.replace(pattern, () => by)
}
