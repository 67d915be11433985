import { UnclearCode } from './javascript-tokens.ts'
import { checkPattern, checkText, endOfText, PERL_NAME } from './perl-text.ts'

/** Functions that only compute, with their arguments in parentheses or after them. */
const FUNCTIONS = new Set(
  (
    'join split sort reverse map grep keys values scalar exists delete defined push pop shift unshift length uc lc ucfirst ' +
    'lcfirst abs int sqrt hex oct ord chr index rindex substr sprintf chomp chop print printf say'
  ).split(' '),
)
/** Those that take `$_`, or print it, when nothing follows. */
const ALONE = new Set('length uc lc ucfirst lcfirst chomp chop print say next last exit'.split(' '))
const BLOCKS = new Set(['sort', 'map', 'grep'])
const MODIFIERS = new Set(['if', 'unless', 'for', 'foreach', 'and', 'or'])
const WORD_OPERATORS = new Set('x eq ne lt gt le ge cmp and or'.split(' '))
/** No division: in some places Perl takes a slash for the start of a regular expression. */
const OPERATORS = [
  ...['<=>', '**=', '||=', '&&=', '...', '==', '!=', '<=', '>=', '=~', '!~', '&&', '||', '=>', '..', '**'],
  ...['+=', '-=', '*=', '.=', '=', '<', '>', '+', '-', '*', '%', '.', ',', '?', ':'],
]
const VARIABLE = new RegExp(
  `\\$#?(?:${PERL_NAME})|\\$(?:[1-9]\\d?|[&.,/\\\\|])|@(?:${PERL_NAME})|%(?:${PERL_NAME})`,
  'y',
)
const DELIMITER = /^[/|,#]$/

/** Why Perl code may do more than compute and print; null if it is understood whole. Linear in its length. */
export function whyUnclearPerl(code: string): string | null {
  if (code.length > 4096) return 'is too long to analyze'
  // The start of documentation, which Perl leaves out.
  if (/\n=/.test(code)) return 'has documentation in it'
  try {
    new Reader(code).run()
    return null
  } catch (error) {
    if (error instanceof UnclearCode) return error.message
    throw error
  }
}

/**
 * Reads a small part of Perl, strictly. INVARIANT: an allow-list, in which Perl can read no sign in another way: whether a
 * value or an operator comes next is always certain, so that no text of ours is code of Perl's.
 */
class Reader {
  readonly #code: string
  #at = 0
  #depth = 0

  constructor(code: string) {
    this.#code = code
  }

  run(): void {
    this.#statements()
    if (this.#at < this.#code.length) this.#fail()
  }

  #fail(): never {
    throw new UnclearCode(`uses \`${this.#code.slice(this.#at, this.#at + 12).replace(/[^ -_a-~]/g, ' ')}\``)
  }

  #space(): boolean {
    const start = this.#at
    while (/[ \t\n]/.test(this.#code[this.#at] ?? '')) this.#at++
    return this.#at > start
  }

  #is(text: string): boolean {
    this.#space()
    return this.#code.startsWith(text, this.#at)
  }

  #take(text: string): boolean {
    const found = this.#is(text)
    if (found) this.#at += text.length
    return found
  }

  #need(text: string): void {
    if (!this.#take(text)) this.#fail()
  }

  /** The word that comes next, without taking it. */
  #word(): string {
    this.#space()
    return /^[A-Za-z_]\w*/.exec(this.#code.slice(this.#at, this.#at + 40))?.[0] ?? ''
  }

  #statements(): void {
    while (this.#at < this.#code.length && !this.#is('}')) {
      if (this.#take(';')) continue
      if (this.#block()) continue
      this.#use() || this.#expression()
      if (this.#at < this.#code.length && !this.#is(';') && !this.#is('}')) this.#fail()
    }
  }

  #use(): boolean {
    const found = /^use[ ]+(?:strict|warnings)(?=\s*(?:;|$))/.exec(this.#code.slice(this.#at))?.[0]
    this.#at += found?.length ?? 0
    return found !== undefined
  }

  /** `BEGIN { … }`, `END { … }`, `if (…) { … } else { … }`. */
  #block(): boolean {
    const word = this.#word()
    if (!/^(?:BEGIN|END|if|unless)$/.test(word)) return false
    this.#at += word.length
    if (word === 'if' || word === 'unless') this.#group()
    this.#body()
    if (word === 'if' && this.#word() === 'else') {
      this.#at += 4
      this.#body()
    }
    return true
  }

  #group(): void {
    this.#need('(')
    this.#expression()
    this.#need(')')
  }

  #body(): void {
    this.#need('{')
    this.#enter()
    this.#statements()
    this.#need('}')
    this.#depth--
  }

  #enter(): void {
    if (++this.#depth > 20) throw new UnclearCode('is nested too deeply')
  }

  /** Values and operators in turn. */
  #expression(): void {
    this.#enter()
    do this.#value()
    while (this.#operator())
    this.#depth--
  }

  #ends(): boolean {
    this.#space()
    return this.#at >= this.#code.length || /^[;)}\]]/.test(this.#code[this.#at] ?? '')
  }

  /** An operator before another value. SECURITY: with a space on one side only, Perl may take it for the start of a value. */
  #operator(): boolean {
    const isSpaced = this.#space() || /\s/.test(this.#code[this.#at - 1] ?? '')
    if (this.#ends()) return false
    const word = this.#word()
    if (word !== '') {
      if (!isSpaced || !(WORD_OPERATORS.has(word) || MODIFIERS.has(word))) this.#fail()
      this.#at += word.length
      if (!/[\s(]/.test(this.#code[this.#at] ?? '')) this.#fail()
      return true
    }
    if (this.#code.startsWith('->', this.#at) || this.#code.startsWith('<<', this.#at)) this.#fail()
    const sign = OPERATORS.find((one) => this.#code.startsWith(one, this.#at))
    if (sign === undefined) this.#fail()
    this.#at += sign.length
    const isFollowed = /\s/.test(this.#code[this.#at] ?? '')
    if (sign !== ',' && sign !== '=>' && isSpaced !== isFollowed) this.#fail()
    if ((sign === '?' || sign === ':') && !isSpaced) this.#fail()
    if (sign === '=~' || sign === '!~') this.#pattern() || this.#fail()
    // A comma may be the last sign of a list.
    else return !(sign === ',' && this.#ends())
    return this.#operator()
  }

  #value(): void {
    this.#space()
    while (/^(?:!(?![~=])|-(?=[\d$(])|\+\+(?=\$)|--(?=\$))/.test(this.#code.slice(this.#at, this.#at + 3)))
      this.#at += /^(?:\+\+|--)/.test(this.#code.slice(this.#at, this.#at + 2)) ? 2 : 1
    const sign = this.#code[this.#at] ?? ''
    if (sign === '$' || sign === '@' || sign === '%') this.#variable()
    else if (sign === '"' || sign === "'") this.#text(sign)
    else if (/\d/.test(sign)) this.#at += /^\d+(?:\.\d+)?/.exec(this.#code.slice(this.#at))?.[0].length ?? 0
    else if (sign === '(') this.#list()
    else if (!this.#pattern() && !this.#words()) this.#call()
  }

  #variable(): void {
    VARIABLE.lastIndex = this.#at
    const name = VARIABLE.exec(this.#code)?.[0]
    if (name === undefined) this.#fail()
    this.#at += name.length
    // SECURITY: one index only. With another, the text before it would be the name of a variable: `ENV`.
    if (/^\$[A-Za-z_]/.test(name)) this.#index()
    if (/^(?:\+\+|--)/.test(this.#code.slice(this.#at, this.#at + 2))) this.#at += 2
  }

  /** `[0]`, `{name}`, `{$name}` right after a variable or a list. */
  #index(): void {
    const sign = this.#code[this.#at]
    if (sign !== '[' && sign !== '{') return
    this.#at++
    const bare = sign === '{' ? /^\w+(?=\})/.exec(this.#code.slice(this.#at, this.#at + 80))?.[0] : undefined
    if (bare === undefined) this.#expression()
    else this.#at += bare.length
    this.#need(sign === '[' ? ']' : '}')
  }

  #text(sign: string): void {
    const end = endOfText(this.#code, this.#at + 1, sign)
    if (sign === '"') checkText(this.#code.slice(this.#at + 1, end))
    this.#at = end + 1
  }

  #list(): void {
    this.#need('(')
    if (!this.#is(')')) this.#expression()
    this.#need(')')
    if (this.#code[this.#at] === '[') this.#index()
  }

  /** `/…/`, `m|…|`, `s/…/…/g`, `tr/a-z/A-Z/`. */
  #pattern(): boolean {
    this.#space()
    const kind = /^(?:m|s|tr|y)?(?=[/|,#])/.exec(this.#code.slice(this.#at, this.#at + 3))?.[0]
    const sign = this.#code[this.#at + (kind?.length ?? 0)] ?? ''
    if (kind === undefined || !DELIMITER.test(sign) || (kind === '' && sign !== '/')) return false
    const from = this.#at + kind.length + 1
    const middle = endOfText(this.#code, from, sign)
    const end = kind === '' || kind === 'm' ? middle : endOfText(this.#code, middle + 1, sign)
    const [first, second] = [this.#code.slice(from, middle), this.#code.slice(middle + 1, end)]
    if (kind === 'tr' || kind === 'y') {
      if (/\\[^\\ntr/-]/.test(first + second)) this.#fail()
    } else {
      // `//` may be an operator.
      if (first === '') this.#fail()
      checkPattern(first)
      if (kind === 's') checkText(second)
    }
    // SECURITY: with `e` the replacement is code, and with `x` some signs of a pattern do not count.
    const letters = kind === 's' ? /^[gimsr]*(?!\w)/ : kind === '' || kind === 'm' ? /^[gims]*(?!\w)/ : /^[cdsr]*(?!\w)/
    const flags = letters.exec(this.#code.slice(end + 1, end + 12))
    if (flags === null) this.#fail()
    this.#at = end + 1 + flags[0].length
    return true
  }

  /** `qw(a b)`. */
  #words(): boolean {
    const found = /^qw(?:\([^()\\]*\)|\[[^[\]\\]*\]|\{[^{}\\]*\})/.exec(this.#code.slice(this.#at))?.[0]
    this.#at += found?.length ?? 0
    return found !== undefined
  }

  #call(): void {
    const word = this.#word()
    if (word === 'my' || word === 'not') {
      this.#at += word.length
      // `not'a'` would be one name.
      if (!/[\s($@%]/.test(this.#code[this.#at] ?? '')) this.#fail()
      this.#value()
      return
    }
    if (!FUNCTIONS.has(word) && !ALONE.has(word)) this.#fail()
    this.#at += word.length
    if (this.#ends() || MODIFIERS.has(this.#word())) {
      if (!ALONE.has(word)) this.#fail()
      return
    }
    if (!FUNCTIONS.has(word)) this.#fail()
    if (/^print/.test(word)) this.#handle()
    if (BLOCKS.has(word) && this.#take('{')) {
      this.#expression()
      this.#need('}')
    }
    if (this.#is('(')) this.#list()
    else if (/[\s/]/.test(this.#code[this.#at - 1] ?? '') || /^["/$@%]/.test(this.#code[this.#at] ?? '')) this.#value()
    else this.#fail()
  }

  /** `print STDERR "…"`. */
  #handle(): void {
    const found = /^STD(?:ERR|OUT)[ ]+(?=["'$])/.exec(this.#code.slice(this.#at, this.#at + 20))?.[0]
    this.#at += found?.length ?? 0
  }
}
