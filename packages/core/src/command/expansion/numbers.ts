import type { ParameterExpansionPart, SimpleExpansionPart, Word, WordPart } from 'unbash'
import { shellNames } from '../../knowledge/shell.ts'
import { isNumber, type Scope } from './scope.ts'

const NUMBER_VARIABLES = shellNames('number_variables')

/** The last command of a substitution that prints one number and nothing else. */
const COUNTS =
  /^\s*(?:wc -[lwcm](?: ?<[^<>|;&]{1,200})?|nproc|id -[ug]|date (?:-u )?["']?\+[%YmdHMSsNjuy]{2,24}["']?|tput (?:cols|lines)|pgrep -c\b[^|;&]{0,80}|git rev-list (?:[\w./@{}^~-]+ )*--count\b[^|;&]{0,80}|grep -[EFPiIvwxh]{0,5}c[EFPiIvwxh]{0,5} (?:"[^"]{0,80}"|'[^']{0,80}'|[^\s"'|;&<>]{1,80})(?: ?<?[^\s"'|;&<>*?]{1,200})?|jq (?:-r )?["']?\.?length["']?|stat -c ?["']?%[sY]["']? [^|;&]{1,200})\s*$/
/** Filters that leave a number a number. */
const KEEPS = /\|\s*(?:tr -d (?:' '|"[ ]"|'\[:space:\]'|"\[:space:\]"|' \\n')|xargs|head -n? ?1|tail -n? ?1)\s*$/

/** Whether the output of `$(…)` is one number, whatever the files contain. */
export function printsNumber(text: string): boolean {
  if (text.length > 2048) return false
  let code = text.startsWith('`') ? text.slice(1, -1) : text.slice(2, -1)
  code = code.replace(/\s*2>\s*\/dev\/null\s*/g, ' ')
  while (KEEPS.test(code)) code = code.replace(KEEPS, '')
  return COUNTS.test(code.slice(code.lastIndexOf('|') + 1)) && !/[;&`]|\$\(/.test(code)
}

/**
 * Whether the variable holds a number, or nothing, as far as the source tells. A name in lower case that the source never
 * sets is unset in a new shell.
 */
export function holdsNumber(name: string, scope: Scope): boolean {
  if (/^[#?!$]$/.test(name)) return true
  const held = scope.held(name)
  if (held !== null) return isNumber(held)
  if (scope.mayHoldData(name)) return false
  return NUMBER_VARIABLES.has(name) || !scope.isUntouched(name) || /^[a-z_][a-z0-9_]*$/.test(name)
}

/** Whether an expansion gives a number, or nothing. */
export function isNumberPart(part: WordPart, scope: Scope): boolean {
  switch (part.type) {
    case 'ArithmeticExpansion':
      return true
    case 'Literal':
    case 'SingleQuoted':
      return /^-?\d*$/.test(part.value)
    case 'DoubleQuoted':
      return part.parts.every((inner) => isNumberPart(inner, scope))
    case 'CommandExpansion':
      return printsNumber(part.text)
    case 'SimpleExpansion':
      return isNumberName(part.text.slice(1), scope)
    case 'ParameterExpansion':
      return isNumberParameter(part, scope)
    default:
      return false
  }
}

/** `$#` and `$?` are numbers, `$1` only if the call says so. */
function isNumberName(name: string, scope: Scope): boolean {
  if (/^\d+$/.test(name)) return isNumberPosition(Number(name), scope)
  return holdsNumber(name, scope)
}

/** Without known parameters there are none, or the code is a function that nobody calls. */
function isNumberPosition(at: number, scope: Scope): boolean {
  const { positional } = scope
  if (positional === null) return !scope.mayHoldData('@')
  return at >= positional.length || /^-?\d*$/.test(positional[at] ?? 'unknown')
}

function isNumberParameter(part: ParameterExpansionPart, scope: Scope): boolean {
  const { parameter, prefix, operation, index } = part
  if (prefix === '#') return true
  if (prefix === '!') return false
  if (index !== undefined && !isNumberArray(parameter, scope)) return false
  if (index === undefined && !isNumberName(parameter, scope)) return false
  if (operation === undefined || operation.type === 'Slice') return true
  return operation.type === 'Default' && isNumberWord(operation.operand, scope)
}

function isNumberArray(name: string, scope: Scope): boolean {
  if (NUMBER_VARIABLES.has(name) && scope.isUntouched(name)) return true
  const held = scope.held(name)
  return (
    held !== null &&
    typeof held !== 'string' &&
    held.kind === 'array' &&
    held.values.every((value) => value !== null && /^-?\d*$/.test(value))
  )
}

/** Whether a word gives a number, or nothing. */
export function isNumberWord(word: Word, scope: Scope): boolean {
  return word.parts === undefined ? /^-?\d*$/.test(word.value) : word.parts.every((part) => isNumberPart(part, scope))
}

/** The name of the variable in an expansion, for a reason; null for other expansions. */
export function variableOf(part: SimpleExpansionPart | ParameterExpansionPart): string | null {
  const name = part.type === 'SimpleExpansion' ? part.text.slice(1) : part.parameter
  return /^\w{1,64}$/.test(name) ? `$${name}` : null
}
