import type { CodeToken } from './tokenizer.ts'

/** Names with one literal value: `p = 'src/a.ts'`. Null for a name with several values. */
export type Constants = ReadonlyMap<string, string | null>

/** Calls that return their path argument. */
const SAME = new Set(
  'Path PurePath str expanduser expandpath abspath realpath resolve normalize String glob'.split(' '),
)
const JOINS = new Set(['join', 'resolve', 'joinpath'])
const MAX_STEPS = 64

const isSign = (token: CodeToken | undefined, text: string) => token?.kind === 'sign' && token.text === text

/** Reads assignments of literal strings in one pass. */
export function constantsOf(tokens: readonly CodeToken[]): Constants {
  const constants = new Map<string, string | null>()
  for (let at = 0; at + 2 < tokens.length; at++) {
    const name = tokens[at]
    if (name === undefined || (name.kind !== 'name' && name.kind !== 'variable')) continue
    if (!isSign(tokens[at + 1], '=') || isSign(tokens[at + 2], '=') || isSign(tokens[at + 2], '>')) continue
    const before = tokens[at - 1]
    // A named argument or a field.
    if (isSign(before, '.') || isSign(before, '(') || isSign(before, ',')) continue
    constants.set(name.text, constants.has(name.text) ? null : valueAt(tokens, at + 2, constants))
  }
  return constants
}

/** The literal value of an expression; null when it is computed. */
export function valueAt(tokens: readonly CodeToken[], start: number, constants: Constants): string | null {
  let value = ''
  let at = start
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const one = termAt(tokens, at, constants)
    if (one === null) return null
    value += one.value
    at = one.next
    const sign = tokens[at]
    if (isSign(sign, '+')) at++
    // `Path('a') / 'b'`
    else if (isSign(sign, '/')) {
      value += '/'
      at++
    } else if (isSign(sign, '.') && tokens[at + 1]?.kind === 'string') at++
    else return ends(sign) ? value : null
  }
  return null
}

function ends(token: CodeToken | undefined): boolean {
  return token === undefined || token.kind === 'end' || (token.kind === 'sign' && /[),;\]}|:&]/.test(token.text))
}

function termAt(
  tokens: readonly CodeToken[],
  start: number,
  constants: Constants,
): { value: string; next: number } | null {
  let at = start
  while (tokens[at]?.kind === 'end') at++
  const token = tokens[at]
  if (token === undefined) return null
  if (token.kind === 'string') {
    if (token.dynamic) return null
    let text = token.text
    while (tokens[at + 1]?.kind === 'string' && tokens[at + 1]?.dynamic === false) text += tokens[++at]?.text ?? ''
    return { value: text, next: at + 1 }
  }
  if (token.kind !== 'name' && token.kind !== 'variable') return null
  const called = lastName(tokens, at)
  if (isSign(tokens[called + 1], '(')) return calledValue(tokens, called, constants)
  const known = called === at ? constants.get(token.text) : undefined
  return known == null ? null : { value: known, next: at + 1 }
}

/** The value before a dot: `p` of `p.unlink()`, `Path('a')` of `Path('a').unlink()`. */
export function ownerValue(tokens: readonly CodeToken[], dot: number, constants: Constants): string | null {
  const before = tokens[dot - 1]
  if (before?.kind === 'name' || before?.kind === 'variable') {
    return isSign(tokens[dot - 2], '.') ? null : (constants.get(before.text) ?? null)
  }
  if (!isSign(before, ')')) return null
  let depth = 0
  for (let at = dot - 1; at > 0 && at > dot - 200; at--) {
    if (isSign(tokens[at], ')')) depth++
    else if (isSign(tokens[at], '(') && --depth === 0) return calledValue(tokens, at - 1, constants)?.value ?? null
  }
  return null
}

/** The position of the last name of `a.b.c`. */
function lastName(tokens: readonly CodeToken[], start: number): number {
  let at = start
  while (isSign(tokens[at + 1], '.') && tokens[at + 2]?.kind === 'name') at += 2
  return at
}

function calledValue(tokens: readonly CodeToken[], at: number, constants: Constants) {
  const name = tokens[at]?.text ?? ''
  const close = closingParenthesis(tokens, at + 1)
  if (close === null || (!SAME.has(name) && !JOINS.has(name))) return null
  const values = argumentStarts(tokens, at + 1).map((start) => plainText(tokens, start, constants))
  if (values.length === 0 || values.some((value) => value === null)) return null
  return { value: values.join('/'), next: close + 1 }
}

/** A literal or a known name, as an argument of `join(…)`. */
function plainText(tokens: readonly CodeToken[], at: number, constants: Constants): string | null {
  const token = tokens[at]
  if (token?.kind === 'string') return token.dynamic ? null : token.text
  return token === undefined ? null : (constants.get(token.text) ?? null)
}

export function closingParenthesis(tokens: readonly CodeToken[], open: number): number | null {
  let depth = 0
  // The limit keeps many unclosed calls from taking quadratic time.
  const end = Math.min(tokens.length, open + 4000)
  for (let at = open; at < end; at++) {
    const token = tokens[at]
    if (token?.kind !== 'sign') continue
    if (token.text === '(' || token.text === '[' || token.text === '{') depth++
    else if (token.text === ')' || token.text === ']' || token.text === '}') {
      depth--
      if (depth === 0) return at
    }
  }
  return null
}

/** The start of each argument of a call, at most eight; `open` is its parenthesis. */
export function argumentStarts(tokens: readonly CodeToken[], open: number): readonly number[] {
  const starts: number[] = []
  let depth = 0
  const end = Math.min(tokens.length, open + 400)
  for (let at = open; at < end && starts.length < 8; at++) {
    const token = tokens[at]
    if (token?.kind === 'sign' && /[([{]/.test(token.text)) {
      depth++
      if (depth === 1 && !isSign(tokens[at + 1], ')')) starts.push(at + 1)
    } else if (token?.kind === 'sign' && /[)\]}]/.test(token.text)) {
      depth--
      if (depth <= 0) break
    } else if (depth === 1 && isSign(token, ',')) starts.push(at + 1)
  }
  return starts
}
