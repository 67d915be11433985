import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart } from 'unbash'
import type { Scope } from './scope.ts'

/** What a parameter expansion gives, as far as the source itself says. */
export type Expanded =
  | { readonly kind: 'value'; readonly value: string }
  /** `$HOME` or `$PWD`, untouched by the source. */
  | { readonly kind: 'place'; readonly spelling: '~' | '.' }
  | { readonly kind: 'list'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'unknown' }

const UNKNOWN: Expanded = { kind: 'unknown' }

/** Looks a parameter up in what the source has set so far. */
export function expandParameter(part: SimpleExpansionPart | ParameterExpansionPart, scope: Scope): Expanded {
  if (part.type === 'SimpleExpansion') return lookUp(part.text.slice(1), scope)
  if (part.index !== undefined || part.prefix !== undefined) return UNKNOWN
  if (part.operation === undefined) return lookUp(part.parameter, scope)
  const found = lookUp(part.parameter, scope)
  if (found.kind !== 'value') return UNKNOWN
  const value = operate(found.value, part.operation)
  return value === null ? UNKNOWN : { kind: 'value', value }
}

function lookUp(name: string, scope: Scope): Expanded {
  if (name === 'HOME' && scope.isUntouched(name)) return { kind: 'place', spelling: '~' }
  if (name === 'PWD' && scope.isUntouched(name)) return { kind: 'place', spelling: '.' }
  if (name === '@' || name === '*') {
    return scope.positional === null ? UNKNOWN : { kind: 'list', values: scope.positional.slice(1) }
  }
  const value = /^\d+$/.test(name) ? (scope.positional?.[Number(name)] ?? null) : scope.get(name)
  return value === null ? UNKNOWN : { kind: 'value', value }
}

/** Slices, changes of case and defaults of a known value; null for the rest. */
function operate(value: string, operation: ParameterOperation): string | null {
  switch (operation.type) {
    case 'Slice': {
      const offset = wholeNumber(operation.offset.value)
      const length = operation.length === undefined ? value.length : wholeNumber(operation.length.value)
      return offset === null || length === null ? null : value.slice(offset, offset + length)
    }
    case 'CaseModification':
      if (operation.operand !== undefined) return null
      if (operation.operator === '^^') return value.toUpperCase()
      if (operation.operator === ',,') return value.toLowerCase()
      if (operation.operator === '^') return value.slice(0, 1).toUpperCase() + value.slice(1)
      return value.slice(0, 1).toLowerCase() + value.slice(1)
    case 'Default':
      if (value === '' || operation.operator.includes('+')) return null
      return value
    default:
      return null
  }
}

function wholeNumber(text: string): number | null {
  return /^ *\d{1,4} *$/.test(text) ? Number(text) : null
}
