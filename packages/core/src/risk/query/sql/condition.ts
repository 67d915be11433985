import type { SqlToken } from './tokenizer.ts'

type Truth = 'always' | 'never' | 'depends'

const MAX_DEPTH = 32
/** Words that are not columns. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'and or not is null true false like ilike in between exists select case when then else end any all as distinct interval'.split(
    ' ',
  ),
)

/**
 * Whether a WHERE condition matches every row: `1=1`, `true`, `id = id`, `'a' = 'a' OR …`, `NOT false`, `id IS NOT NULL`.
 * A condition without a column is the same for all rows, so it counts as true unless it is obviously false.
 */
export function isAlwaysTrue(condition: readonly SqlToken[]): boolean {
  return truthOf(condition, 0) === 'always'
}

function truthOf(given: readonly SqlToken[], depth: number): Truth {
  if (depth > MAX_DEPTH) return 'always'
  const tokens = withoutBrackets(given)
  if (tokens.length === 0) return 'depends'
  const either = splitBy(tokens, 'or', '||')
  if (either.length > 1) {
    const truths = either.map((part) => truthOf(part, depth + 1))
    if (truths.includes('always')) return 'always'
    return truths.every((truth) => truth === 'never') ? 'never' : 'depends'
  }
  const both = splitBy(tokens, 'and', '&&')
  if (both.length > 1) {
    const truths = both.map((part) => truthOf(part, depth + 1))
    if (truths.includes('never')) return 'never'
    return truths.every((truth) => truth === 'always') ? 'always' : 'depends'
  }
  const [first, ...rest] = tokens
  if (isWord(first, 'not') || (first?.kind === 'mark' && first.text === '!')) {
    const inner = truthOf(rest, depth + 1)
    if (inner === 'depends') return 'depends'
    return inner === 'always' ? 'never' : 'always'
  }
  return truthOfTest(tokens)
}

function truthOfTest(tokens: readonly SqlToken[]): Truth {
  const [one] = tokens
  if (tokens.length === 1 && one !== undefined) {
    if (one.kind === 'number') return Number(one.text) === 0 ? 'never' : 'always'
    if (isWord(one, 'true')) return 'always'
    if (isWord(one, 'false') || isWord(one, 'null')) return 'never'
    if (one.kind === 'string') return 'always'
    return 'depends'
  }
  if (endsWith(tokens, 'is', 'not', 'null')) return 'always'
  const at = tokens.findIndex(({ kind, text }) => kind === 'mark' && COMPARISONS.has(text))
  if (at !== -1) return truthOfComparison(tokens.slice(0, at), tokens[at]?.text ?? '', tokens.slice(at + 1))
  const like = tokens.findIndex((token) => isWord(token, 'like') || isWord(token, 'ilike'))
  if (like > 0 && !isWord(tokens[like - 1], 'not')) {
    const pattern = tokens[like + 1]
    if (pattern?.kind === 'string' && /^%+$/.test(pattern.text)) return 'always'
  }
  if (isWholeSubquery(tokens)) return 'always'
  return namesColumn(tokens) ? 'depends' : 'always'
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '==', '<>', '!=', '<', '>', '<=', '>='])

function truthOfComparison(left: readonly SqlToken[], sign: string, right: readonly SqlToken[]): Truth {
  const equal = sign === '=' || sign === '=='
  const [one, other] = [withoutBrackets(left), withoutBrackets(right)]
  const same = spell(one) === spell(other)
  if (namesColumn(one) || namesColumn(other)) {
    if (same) return equal || sign === '<=' || sign === '>=' ? 'always' : 'never'
    return isEveryId(one, sign, other) ? 'always' : 'depends'
  }
  const [a, b] = [constantOf(one), constantOf(other)]
  // A computation from constants alone is the same for every row.
  if (a === null || b === null) return 'always'
  const holds = compare(a, sign, b)
  return holds ? 'always' : 'never'
}

function compare(a: string | number, sign: string, b: string | number): boolean {
  const [x, y] = typeof a === typeof b ? [a, b] : [String(a), String(b)]
  switch (sign) {
    case '<':
      return x < y
    case '>':
      return x > y
    case '<=':
      return x <= y
    case '>=':
      return x >= y
    case '<>':
    case '!=':
      return x !== y
    default:
      return x === y
  }
}

/** `id > 0` and similar: ids start at one. */
function isEveryId(left: readonly SqlToken[], sign: string, right: readonly SqlToken[]): boolean {
  const name = left.at(-1)
  if (name === undefined || !/(?:^|_)(?:id|pk|rowid|key)$/.test(name.text)) return false
  const bound = constantOf(right)
  if (typeof bound !== 'number') return false
  if (sign === '>') return bound <= 0
  if (sign === '>=') return bound <= 1
  return (sign === '<>' || sign === '!=') && bound <= 0
}

function constantOf(tokens: readonly SqlToken[]): string | number | null {
  const [first, second] = tokens
  if (tokens.length === 1 && first?.kind === 'number') return Number(first.text)
  if (tokens.length === 2 && first?.text === '-' && second?.kind === 'number') return -Number(second.text)
  if (tokens.length === 1 && first?.kind === 'string') return first.text
  if (tokens.length === 1 && isWord(first, 'true')) return 1
  if (tokens.length === 1 && isWord(first, 'false')) return 0
  return null
}

/** `id IN (SELECT id FROM t)` and `EXISTS (SELECT 1)`: a subquery without a restriction. */
function isWholeSubquery(tokens: readonly SqlToken[]): boolean {
  const at = tokens.findIndex((token) => isWord(token, 'in') || isWord(token, 'exists'))
  if (at === -1 || isWord(tokens[at - 1], 'not') || !isWord(tokens[at + 2], 'select')) return false
  const inner = tokens.slice(at + 2)
  return !inner.some((token) =>
    ['where', 'limit', 'join', 'having', 'top', 'group'].some((word) => isWord(token, word)),
  )
}

function namesColumn(tokens: readonly SqlToken[]): boolean {
  return tokens.some(({ kind, text }, at) => {
    if (kind === 'name') return true
    // A function's name is not a column; a placeholder may be one.
    if (kind === 'mark') return text === '?' || text === ':' || text === '$'
    return kind === 'word' && !KEYWORDS.has(text) && tokens[at + 1]?.text !== '('
  })
}

/** Removes the brackets that enclose everything, however many, in one pass. */
function withoutBrackets(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const isMark = (at: number, text: string): boolean => tokens[at]?.kind === 'mark' && tokens[at]?.text === text
  let open = 0
  while (isMark(open, '(')) open++
  let close = 0
  while (close < tokens.length - open && isMark(tokens.length - 1 - close, ')')) close++
  let depth = open
  let least = Math.min(open, close)
  for (let at = open; at < tokens.length - close; at++) {
    if (isMark(at, '(')) depth++
    else if (isMark(at, ')')) least = Math.min(least, --depth)
  }
  // Closing brackets of inner pairs must stay.
  least = Math.min(least, close - (depth - open))
  return least > 0 ? tokens.slice(least, tokens.length - least) : tokens
}

/** Splits at a word or mark outside brackets, except at the AND of BETWEEN. */
function splitBy(tokens: readonly SqlToken[], word: string, mark: string): readonly (readonly SqlToken[])[] {
  const parts: SqlToken[][] = [[]]
  let depth = 0
  let between = false
  for (const token of tokens) {
    if (token.kind === 'mark' && token.text === '(') depth++
    else if (token.kind === 'mark' && token.text === ')') depth--
    if (isWord(token, 'between')) between = true
    if (depth === 0 && (isWord(token, word) || (token.kind === 'mark' && token.text === mark))) {
      if (word === 'and' && between) between = false
      else {
        parts.push([])
        continue
      }
    }
    parts.at(-1)?.push(token)
  }
  return parts
}

function endsWith(tokens: readonly SqlToken[], ...words: readonly string[]): boolean {
  return words.every((word, at) => isWord(tokens[tokens.length - words.length + at], word))
}

function isWord(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'word' && token.text === text
}

function spell(tokens: readonly SqlToken[]): string {
  return tokens.map(({ kind, text }) => `${kind === 'string' ? "'" : ''}${text}`).join(' ')
}
