import { intentKnowledge, wordClass } from '../../knowledge/intent.ts'
import { CLOSE, type Excerpt, OPEN } from './code-and-quotes.ts'

/** A word, number, amount of money, piece of code, quotation or punctuation mark. */
export interface Token {
  readonly kind: 'word' | 'number' | 'money' | 'code' | 'quote' | 'stop'
  /** Lower case; for an excerpt its kind. */
  readonly word: string
  readonly value?: number
  readonly currency?: string
  readonly excerpt?: Excerpt
}

const MAX_NUMBER = 40

const AFFIRMATIONS = wordClass('affirmations')

// Each alternative starts with a different character and repeats single classes, so matching never backtracks.
const PARTS = new RegExp(
  [
    `${OPEN}\\d+${CLOSE}`,
    '[$€£¥₹] ?\\d[\\d.,]*[a-z]*',
    '\\d[\\d.,]*(?:[a-z%][\\p{L}\\p{N}_]*)?(?:[/:-][\\p{L}\\p{N}]+)*',
    '~?\\.{0,2}/[^\\s,;!?()\uE000]*',
    '--?[a-z][\\p{L}\\p{N}=_-]*',
    '(?<![\\p{L}\\p{N}_.])\\.[a-z](?:[\\p{L}\\p{N}_-]|\\.(?=[\\p{L}\\p{N}]))*',
    "[\\p{L}\\p{M}_](?:[\\p{L}\\p{M}\\p{N}_]|['./@&+-](?=[\\p{L}\\p{N}_]))*",
    '[,;:()?!|—–=]|\\.|->|→|⇒|\\n',
  ].join('|'),
  'gu',
)

/** Splits a lower-case sentence into tokens. */
export function tokenize(sentence: string, excerpts: readonly Excerpt[]): readonly Token[] {
  const { currency_signs } = intentKnowledge().numbers
  const found: Token[] = []
  for (const [part] of withFractions(sentence).matchAll(PARTS)) {
    const first = part[0] ?? ''
    const currency = own(currency_signs, first)
    if (first === OPEN) found.push(...excerptToken(excerpts[Number(part.slice(1, -1))]))
    else if (currency !== undefined) found.push(money(part, currency))
    else if (/\d/.test(first)) found.push(numberToken(part))
    else if (/[\p{L}_]/u.test(first)) found.push(...wordTokens(part))
    else if (/^(?:--?[a-z]|\.[a-z]|~?\.{0,2}\/.)/u.test(part)) found.push({ kind: 'word', word: part })
    else found.push({ kind: 'stop', word: part === '–' || part === '->' || part === '→' || part === '⇒' ? '—' : part })
  }
  return joinCompounds(joinNumbers(found))
}

/** `half a million`, `a quarter of a million`. */
function withFractions(sentence: string): string {
  return sentence
    .replace(/\bhalf (?:a )?(?=(?:million|billion|thousand)\b)/g, '0.5 ')
    .replace(/\b(?:a )?quarter (?:of a |of )?(?=(?:million|billion)\b)/g, '0.25 ')
}

/** Words come from outside: `constructor` must not find what every object inherits. */
function own<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined
}

function excerptToken(excerpt: Excerpt | undefined): readonly Token[] {
  if (excerpt === undefined) return []
  const text = excerpt.text.trim().toLowerCase()
  const word = AFFIRMATIONS.has(text) ? text : excerpt.kind
  return [{ kind: excerpt.kind === 'quote' ? 'quote' : 'code', word, excerpt }]
}

function wordTokens(part: string): readonly Token[] {
  const { contractions, contraction_endings, contracted_is } = intentKnowledge()
  const whole = own(contractions, part)
  if (whole !== undefined) return whole.map(wordToken)
  const at = part.indexOf("'")
  if (at <= 0) return [wordToken(part)]
  const [head, tail] = [part.slice(0, at), part.slice(at + 1)]
  if (head.endsWith('n') && tail === 't') return [head.slice(0, -1), 'not'].map(wordToken)
  if (tail === 's') return (contracted_is.includes(head) ? [head, 'is'] : [head]).map(wordToken)
  const ending = own(contraction_endings, tail)
  if (ending !== undefined) return [head, ending].map(wordToken)
  return (head.length <= 2 ? [head, tail] : [part]).map(wordToken) // l'utilisateur, d'accord
}

function wordToken(word: string): Token {
  const value = own(intentKnowledge().numbers.number_words, word)
  return value === undefined ? { kind: 'word', word } : { kind: 'number', word, value }
}

function amountOf(text: string): number {
  const digits = text.replace(/[.,]+$/, '')
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(digits)
  return Number(isGrouped ? digits.replace(/[.,]/g, '') : digits.replace(/,(?=\d{3}(?:\D|$))/g, '').replace(',', '.'))
}

function numberToken(part: string): Token {
  if (part.length > MAX_NUMBER) return { kind: 'word', word: 'number' }
  const digits = /^[\d.,]+/.exec(part)?.[0] ?? part
  const suffix = part.slice(digits.length)
  const scale = own(intentKnowledge().numbers.scales, suffix) ?? 1
  const value = amountOf(digits) * scale
  if ((suffix !== '' && scale === 1) || !Number.isFinite(value)) return { kind: 'word', word: part }
  return { kind: 'number', word: digits, value }
}

function money(part: string, currency: string): Token {
  const { value } = numberToken(part.slice(1).trim())
  return value === undefined ? { kind: 'word', word: part } : { kind: 'money', word: part, value, currency }
}

/** Joins `12 thousand`, `300 USD`, `USD 300`, `$2 million`. */
function joinNumbers(tokens: readonly Token[]): readonly Token[] {
  const { scales, currency_words } = intentKnowledge().numbers
  const joined: Token[] = []
  for (const token of tokens) {
    const before = joined.at(-1)
    const scale = own(scales, token.word)
    const unit = own(currency_words, token.word)
    const unitBefore = before === undefined ? undefined : own(currency_words, before.word)
    const isAmount = before?.kind === 'number' || before?.kind === 'money'
    if (isAmount && token.kind === 'word' && scale !== undefined && before.value !== undefined && token.word.length > 1)
      joined[joined.length - 1] = { ...before, value: before.value * scale }
    else if (before?.kind === 'number' && unit !== undefined && before.value !== undefined)
      joined[joined.length - 1] = { kind: 'money', word: before.word, value: before.value, currency: unit }
    else if (token.kind === 'number' && unitBefore !== undefined && token.value !== undefined)
      joined[joined.length - 1] = { ...token, kind: 'money', currency: unitBefore }
    else joined.push(token)
  }
  return joined
}

let compoundsByFirst: ReadonlyMap<string, ReadonlyMap<string, string>> | undefined

function compounds(): ReadonlyMap<string, ReadonlyMap<string, string>> {
  if (compoundsByFirst !== undefined) return compoundsByFirst
  const found = new Map<string, Map<string, string>>()
  for (const { first, second, joined } of intentKnowledge().compounds)
    for (const start of first)
      for (const end of second) found.set(start, (found.get(start) ?? new Map<string, string>()).set(end, joined))
  compoundsByFirst = found
  return found
}

/** Joins two words that name one thing: `api key`. */
function joinCompounds(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const word = compounds()
      .get(joined.at(-1)?.word ?? '')
      ?.get(token.word)
    if (word === undefined) joined.push(token)
    else joined[joined.length - 1] = { kind: 'word', word }
  }
  return joined
}
