import { CLOSE, type Cut, OPEN } from './code-and-quotes.ts'
import { joinCompounds } from './compound-words.ts'

/** A word, number, sum of money, piece of code, quotation or punctuation mark of a sentence. */
export interface Token {
  readonly kind: 'word' | 'number' | 'money' | 'code' | 'quote' | 'stop'
  /** Lower case; for a cut `code` or `quote`. */
  readonly word: string
  readonly value?: number
  readonly currency?: string
  readonly cut?: Cut
}

const CONTRACTED: Readonly<Record<string, readonly string[]>> = {
  "won't": ['will', 'not'],
  "can't": ['can', 'not'],
  cannot: ['can', 'not'],
  "shan't": ['shall', 'not'],
  "let's": ['let', 'us'],
  lets: ['let', 'us'],
  gonna: ['going', 'to'],
  wanna: ['want', 'to'],
  gotta: ['have', 'to'],
  imma: ['i', 'will'],
  dont: ['do', 'not'],
  wont: ['will', 'not'],
  im: ['i', 'am'],
  ill: ['i', 'will'],
  lmk: ['let', 'me', 'know'],
  ive: ['i', 'have'],
}
const ENDINGS: Readonly<Record<string, string>> = { ll: 'will', m: 'am', re: 'are', ve: 'have', d: 'would' }
const PRONOUN_IS = new Set([
  'it',
  'that',
  'this',
  'what',
  'here',
  'there',
  'he',
  'she',
  'everything',
  'who',
  'where',
  'how',
  'next',
])
const CURRENCIES: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }
const CURRENCY_WORDS: Readonly<Record<string, string>> = {
  usd: 'USD',
  dollar: 'USD',
  dollars: 'USD',
  bucks: 'USD',
  eur: 'EUR',
  euro: 'EUR',
  euros: 'EUR',
  gbp: 'GBP',
  pounds: 'GBP',
  jpy: 'JPY',
  yen: 'JPY',
  chf: 'CHF',
  cny: 'CNY',
  rmb: 'CNY',
  yuan: 'CNY',
  btc: 'BTC',
  eth: 'ETH',
  inr: 'INR',
  rupees: 'INR',
  reais: 'BRL',
  brl: 'BRL',
  pesos: 'MXN',
  元: 'CNY',
  円: 'JPY',
  dólares: 'USD',
  dolares: 'USD',
  aud: 'AUD',
  cad: 'CAD',
}
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mm: 1e6,
  million: 1e6,
  mio: 1e6,
  bn: 1e9,
  billion: 1e9,
  b: 1e9,
  mil: 1e3,
  mille: 1e3,
  tausend: 1e3,
  millones: 1e6,
  millions: 1e6,
  millionen: 1e6,
  milhões: 1e6,
  hundred: 100,
  dozen: 12,
}
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  dozens: 24,
  hundreds: 200,
  thousands: 2000,
  millions: 2e6,
  billions: 2e9,
  cientos: 200,
  miles: 2000,
  centaines: 200,
  milliers: 2000,
  hunderte: 200,
  tausende: 2000,
  centenas: 200,
  milhares: 2000,
}

const MAX_NUMBER = 40

/** What a person is told to answer: it counts as a word, quoted or not. */
const YES = new Set([
  'yes',
  'y',
  'confirm',
  'ok',
  'okay',
  'proceed',
  'approve',
  'go',
  'delete',
  'continue',
  'sí',
  'si',
  'oui',
  'ja',
  'sim',
])

// Each alternative starts with a sign of its own and repeats single classes: no way back, so the walk is linear.
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

/** Splits a sentence, already in lower case, into tokens. */
export function tokenise(sentence: string, cuts: readonly Cut[]): readonly Token[] {
  const found: Token[] = []
  for (const [part] of sentence.matchAll(PARTS)) {
    const first = part[0] ?? ''
    if (first === OPEN) found.push(...cutToken(cuts[Number(part.slice(1, -1))]))
    else if (first in CURRENCIES) found.push(money(part, CURRENCIES[first] ?? first))
    else if (/\d/.test(first)) found.push(numberToken(part))
    else if (/[\p{L}_]/u.test(first)) found.push(...wordTokens(part))
    else if (/^(?:--?[a-z]|\.[a-z]|~?\.{0,2}\/.)/u.test(part)) found.push({ kind: 'word', word: part })
    else found.push({ kind: 'stop', word: part === '–' || part === '->' || part === '→' || part === '⇒' ? '—' : part })
  }
  return joinCompounds(joinNumbers(found))
}

function cutToken(cut: Cut | undefined): readonly Token[] {
  if (cut === undefined) return []
  const text = cut.text.trim().toLowerCase()
  return [{ kind: cut.kind === 'quote' ? 'quote' : 'code', word: YES.has(text) ? text : cut.kind, cut }]
}

function wordTokens(part: string): readonly Token[] {
  const plain = (word: string): Token => {
    const value = NUMBER_WORDS[word]
    return value === undefined ? { kind: 'word', word } : { kind: 'number', word, value }
  }
  const whole = Object.hasOwn(CONTRACTED, part) ? CONTRACTED[part] : undefined
  if (whole !== undefined) return whole.map(plain)
  const at = part.indexOf("'")
  if (at <= 0) return [plain(part)]
  const [head, tail] = [part.slice(0, at), part.slice(at + 1)]
  if (head.endsWith('n') && tail === 't') return [plain(head.slice(0, -1)), plain('not')]
  if (tail === 's') return PRONOUN_IS.has(head) ? [plain(head), plain('is')] : [plain(head)]
  const ending = Object.hasOwn(ENDINGS, tail) ? ENDINGS[tail] : undefined
  if (ending !== undefined) return [plain(head), plain(ending)]
  return head.length <= 2 ? [plain(head), plain(tail)] : [plain(part)] // l'utilisateur, d'accord
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
  const scale = Object.hasOwn(SCALES, suffix) ? (SCALES[suffix] ?? 1) : 1
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
  const joined: Token[] = []
  for (const token of tokens) {
    const before = joined.at(-1)
    const scale = Object.hasOwn(SCALES, token.word) ? SCALES[token.word] : undefined
    const unit = Object.hasOwn(CURRENCY_WORDS, token.word) ? CURRENCY_WORDS[token.word] : undefined
    const isAmount = before?.kind === 'number' || before?.kind === 'money'
    if (isAmount && token.kind === 'word' && scale !== undefined && before.value !== undefined && token.word.length > 1)
      joined[joined.length - 1] = { ...before, value: before.value * scale }
    else if (before?.kind === 'number' && unit !== undefined && before.value !== undefined)
      joined[joined.length - 1] = { kind: 'money', word: before.word, value: before.value, currency: unit }
    else if (
      token.kind === 'number' &&
      before !== undefined &&
      Object.hasOwn(CURRENCY_WORDS, before.word) &&
      token.value !== undefined
    )
      joined[joined.length - 1] = { ...token, kind: 'money', currency: CURRENCY_WORDS[before.word] ?? before.word }
    else joined.push(token)
  }
  return joined
}
