import type { ParameterExpansionPart, SimpleExpansionPart } from 'unbash'
import { type Operand, operate } from './parameter-operations.ts'
import type { Held, Scope } from './scope.ts'

/** The value of a parameter expansion, as far as the source determines it. */
export type Expanded =
  | { readonly kind: 'value'; readonly value: string }
  /** `$HOME` or `$PWD`, not changed by the source. */
  | { readonly kind: 'place'; readonly spelling: '~' | '.' }
  | { readonly kind: 'list'; readonly values: readonly (string | null)[] }
  /** One of the names that match a pattern. */
  | { readonly kind: 'glob'; readonly pattern: string }
  /** Unknown; `likely` is the value unless the environment sets another. */
  | { readonly kind: 'unknown'; readonly likely?: string }

const UNKNOWN: Expanded = { kind: 'unknown' }
const HOME: Expanded = { kind: 'place', spelling: '~' }
const HERE: Expanded = { kind: 'place', spelling: '.' }
/** Environment variables with an absolute path: their first character is known. */
const ABSOLUTE: ReadonlySet<string> = new Set(['HOME', 'PWD', 'OLDPWD', 'PATH', 'SHELL'])
const DIGITS = /^\d+$/

/** The value of a parameter, from what the source has set so far. */
export function expandParameter(
  part: SimpleExpansionPart | ParameterExpansionPart,
  scope: Scope,
  operand: Operand,
): Expanded {
  if (part.type === 'SimpleExpansion') return lookUp(part.text.slice(1), scope)
  if (part.index !== undefined) return element(part, scope, operand)
  if (part.prefix === '#') return counted(scope.held(part.parameter))
  if (part.prefix === '!') return named(part, scope)
  const { operation } = part
  const found = lookUp(part.parameter, scope)
  if (operation === undefined) return found
  if (found.kind === 'value') return known(operate(found.value, operation, scope, operand))
  if (found.kind === 'glob') return { kind: 'glob', pattern: `${folderOf(found.pattern)}*` }
  if (operation.type === 'Default' && scope.isUntouched(part.parameter) && /^:?[-=?]$/.test(operation.operator)) {
    if (found.kind === 'place') return found
    if (operation.operator.endsWith('?')) return UNKNOWN
    const likely = operand(operation.operand, scope)
    return likely === null ? UNKNOWN : { kind: 'unknown', likely }
  }
  const first = operation.type === 'Slice' && operation.offset.value === '0' && operation.length?.value === '1'
  return first && ABSOLUTE.has(part.parameter) && scope.isUntouched(part.parameter) ? known('/') : UNKNOWN
}

function known(value: string | null): Expanded {
  return value === null ? UNKNOWN : { kind: 'value', value }
}

/** `${a[1]}` and `${a[@]}`. */
function element(part: ParameterExpansionPart, scope: Scope, operand: Operand): Expanded {
  const held = scope.held(part.parameter)
  if (held === null || part.prefix !== undefined || part.index === undefined) return UNKNOWN
  const values = typeof held === 'string' ? [held] : held.kind === 'array' ? held.values : null
  if (values === null) return UNKNOWN
  const index = part.index.value
  if (index === '@' || index === '*') return part.operation === undefined ? { kind: 'list', values } : UNKNOWN
  const at = DIGITS.test(index) ? index : operand(part.index, scope)
  const value = at !== null && DIGITS.test(at) ? values[Number(at)] : undefined
  if (value === undefined || value === null) return UNKNOWN
  return part.operation === undefined ? known(value) : known(operate(value, part.operation, scope, operand))
}

function counted(held: Held | null): Expanded {
  return typeof held === 'string' ? known(String(held.length)) : UNKNOWN
}

/** `${!name}`: the variable a variable names. */
function named(part: ParameterExpansionPart, scope: Scope): Expanded {
  const name = scope.get(part.parameter)
  return name === null || part.operation !== undefined ? UNKNOWN : lookUp(name, scope)
}

function folderOf(pattern: string): string {
  return pattern.slice(0, pattern.lastIndexOf('/') + 1)
}

function lookUp(name: string, scope: Scope): Expanded {
  if (name === '@' || name === '*')
    return scope.positional === null ? UNKNOWN : { kind: 'list', values: scope.positional.slice(1) }
  if (DIGITS.test(name)) return known(scope.positional?.[Number(name)] ?? null)
  const held = scope.held(name)
  if (held === null) {
    if (name === 'HOME' && scope.isUntouched(name)) return HOME
    if (name === 'PWD' && scope.isUntouched(name)) return HERE
    return known(scope.get(name))
  }
  if (typeof held === 'string') return { kind: 'value', value: held }
  if (held.kind === 'here') return known(fromHere(held.cwd, held.path, scope.cwd))
  if (held.kind === 'number') return UNKNOWN
  return held.kind === 'glob' ? held : known(held.values[0] ?? null)
}

/** A path that was relative to another folder, made relative to this one; null when unknown. */
function fromHere(cwd: string | null, path: string, now: string | null): string | null {
  if (cwd === null) return null
  if (cwd === now) return path
  return /^[/~]/.test(cwd) ? cwd + path.slice(1) : null
}
