/** A token of JavaScript. A template with substitutions becomes `` `( `` … `` `) `` with the code between commas. */
export interface ScriptToken {
  readonly kind: 'name' | 'string' | 'number' | 'pattern' | 'sign'
  /** A name, a sign, or the decoded value of a string. */
  readonly text: string
  readonly line: number
  /** A line end comes before it. */
  readonly starts: boolean
}

/** The text can't be split into tokens with certainty; the reason names the line. */
export class UnclearCode extends Error {}

const SIGNS = [
  ...['>>>=', '...', '===', '!==', '**=', '<<=', '>>=', '>>>', '&&=', '||=', '??='],
  ...['=>', '==', '!=', '<=', '>=', '&&', '||', '??', '?.', '++', '--', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^='],
  ...['<<', '>>', '**'],
  ...'{}()[];,<>+-*/%&|^!~?:=.'.split(''),
]
/** Keywords after which a value follows, so that a slash starts a regular expression. */
const BEFORE_VALUE = new Set('return typeof case in instanceof new delete void throw do else'.split(' '))
/** Words that are keywords only in some places: a slash after them is unclear. */
const SOMETIMES = new Set('of yield await async let static get set as from'.split(' '))
/** The parenthesis after these is not a value. */
const CONDITIONS = new Set(['if', 'while', 'for', 'with', 'switch', 'catch'])

/** Splits JavaScript into tokens. Throws `UnclearCode` where a token could be read in two ways. Linear in its length. */
export function scriptTokens(source: string): readonly ScriptToken[] {
  return new Lexer(source).run()
}

class Lexer {
  readonly #text: string
  readonly #tokens: ScriptToken[] = []
  /** For each open parenthesis, whether it belongs to a statement such as `if (…)`. */
  readonly #open: boolean[] = []
  /** For each open brace, whether it is the substitution of a template. */
  readonly #braces: ('brace' | 'template')[] = []
  #at = 0
  #line = 1
  #starts = true
  #closed: 'condition' | 'value' = 'value'

  constructor(text: string) {
    this.#text = text
  }

  run(): readonly ScriptToken[] {
    if (/[\u2028\u2029]/.test(this.#text)) throw this.#unclear('unusual line endings')
    if (this.#text.startsWith('\uFEFF')) this.#at = 1
    if (this.#text.startsWith('#!', this.#at)) this.#skipLine()
    while (this.#at < this.#text.length) this.#next()
    if (this.#braces.length > 0 || this.#open.length > 0) throw this.#unclear('an open bracket')
    return this.#tokens
  }

  #unclear(what: string): UnclearCode {
    return new UnclearCode(`line ${this.#line} has ${what}`)
  }

  #skipLine(): void {
    while (this.#at < this.#text.length && !/[\n\r]/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #next(): void {
    const char = this.#text[this.#at] ?? ''
    if (char === '\n' || char === '\r') {
      if (char === '\n' || this.#text[this.#at + 1] !== '\n') this.#line++
      this.#starts = true
      this.#at++
    } else if (char === ' ' || char === '\t') this.#at++
    else if (this.#text.startsWith('//', this.#at)) this.#skipLine()
    else if (this.#text.startsWith('/*', this.#at)) this.#skipBlock()
    else if (/[A-Za-z_$#]/.test(char)) this.#word()
    else if (/[0-9]/.test(char) || (char === '.' && /[0-9]/.test(this.#text[this.#at + 1] ?? ''))) this.#number()
    else if (char === '"' || char === "'") this.#string(char)
    else if (char === '`') this.#template(this.#at + 1, true)
    else if (char === '/' && this.#startsPattern()) this.#pattern()
    else this.#sign(char)
  }

  #push(kind: ScriptToken['kind'], text: string): void {
    this.#tokens.push({ kind, text, line: this.#line, starts: this.#starts })
    this.#starts = false
  }

  #skipBlock(): void {
    const end = this.#text.indexOf('*/', this.#at + 2)
    if (end === -1) throw this.#unclear('an open comment')
    const lines = this.#text.slice(this.#at, end).split(/\r\n|\n|\r/).length - 1
    if (lines > 0) this.#starts = true
    this.#line += lines
    this.#at = end + 2
  }

  #word(): void {
    const from = this.#at++
    while (/[\w$]/.test(this.#text[this.#at] ?? '')) this.#at++
    this.#push('name', this.#text.slice(from, this.#at))
  }

  #number(): void {
    const found = /^(?:0[xX][\da-fA-F_]+n?|0[bBoO][\d_]+n?|(?:[\d_]+\.?[\d_]*|\.[\d_]+)(?:[eE][+-]?\d+)?n?)/.exec(
      this.#text.slice(this.#at, this.#at + 64),
    )
    const text = found?.[0] ?? ''
    const after = this.#text[this.#at + text.length] ?? ''
    if (text === '' || /[\w$\\]/.test(after)) throw this.#unclear('an unusual number')
    this.#at += text.length
    this.#push('number', text)
  }

  #string(quote: string): void {
    const from = ++this.#at
    while (this.#text[this.#at] !== quote) {
      const char = this.#text[this.#at]
      if (char === undefined || char === '\n' || char === '\r') throw this.#unclear('an open string')
      this.#at += char === '\\' ? 2 : 1
    }
    this.#push('string', this.#decoded(this.#text.slice(from, this.#at++)))
  }

  #decoded(text: string): string {
    if (!text.includes('\\')) return text
    if (/\\0\d/.test(text)) throw this.#unclear('an unusual escape')
    return text.replace(
      /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([nrtbfv0'"`\\/$]|\r\n|[^\w]))|\\[\s\S]?/g,
      (_, long, wide, short, one) => {
        const code = long ?? wide ?? short
        if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff))
        if (one === undefined) throw this.#unclear('an unusual escape')
        if (/^[\n\r]/.test(one)) return ''
        const at = 'nrtbfv0'.indexOf(one)
        return at === -1 ? one : ('\n\r\t\b\f\v\0'[at] ?? '')
      },
    )
  }

  /** Reads a template from `from` up to its end or its next substitution. */
  #template(from: number, isFirst: boolean): void {
    let end = from
    while (this.#text[end] !== '`' && !this.#text.startsWith('${', end)) {
      if (end >= this.#text.length) throw this.#unclear('an open template')
      end += this.#text[end] === '\\' ? 2 : 1
    }
    const text = this.#text.slice(from, end)
    const isEnd = this.#text[end] === '`'
    if (isFirst && isEnd) this.#push('string', this.#decoded(text))
    else if (isFirst) this.#push('sign', '`(')
    else this.#push('sign', isEnd ? '`)' : ',')
    this.#line += text.split('\n').length - 1
    if (!isEnd) this.#braces.push('template')
    this.#at = end + (isEnd ? 1 : 2)
  }

  #startsPattern(): boolean {
    const before = this.#tokens.at(-1)
    if (before === undefined) return true
    if (before.kind === 'name') {
      if (SOMETIMES.has(before.text)) throw this.#unclear('a slash after a word with two meanings')
      return BEFORE_VALUE.has(before.text) && !/^\??\.$/.test(this.#tokens.at(-2)?.text ?? '')
    }
    if (before.kind !== 'sign') return false
    if (before.text === '}' || before.text === '++' || before.text === '--')
      throw this.#unclear('a slash that may start a regular expression')
    if (before.text === ')' && this.#closed === 'condition')
      throw this.#unclear('a slash that may start a regular expression')
    return before.text !== ')' && before.text !== ']' && before.text !== '`)'
  }

  #pattern(): void {
    let end = this.#at + 1
    for (let isClass = false; isClass || this.#text[end] !== '/'; end++) {
      const char = this.#text[end]
      if (char === undefined || char === '\n' || char === '\r') throw this.#unclear('an open regular expression')
      if (char === '[') isClass = true
      else if (char === ']') isClass = false
      else if (char === '\\') end++
    }
    this.#at = end + 1
    while (/[a-z]/i.test(this.#text[this.#at] ?? '')) this.#at++
    this.#push('pattern', '')
  }

  #sign(char: string): void {
    // Comments of old web pages, which scripts still may have.
    if (this.#text.startsWith('<!--', this.#at) || this.#text.startsWith('-->', this.#at))
      throw this.#unclear('a sign that may start a comment')
    if (char === '}' && this.#braces.at(-1) === 'template') {
      this.#braces.pop()
      this.#template(this.#at + 1, false)
      return
    }
    const sign = SIGNS.find((one) => this.#text.startsWith(one, this.#at))
    if (sign === undefined) throw this.#unclear('an unusual character')
    this.#bracket(sign)
    // `a?.5:b` is not an optional member.
    const isNumber = sign === '?.' && /\d/.test(this.#text[this.#at + 2] ?? '')
    this.#push('sign', isNumber ? '?' : sign)
    this.#at += isNumber ? 1 : sign.length
  }

  #bracket(sign: string): void {
    if (sign === '{') this.#braces.push('brace')
    else if (sign === '}' && this.#braces.pop() === undefined) throw this.#unclear('an unexpected bracket')
    else if (sign === '(') {
      const before = this.#tokens.at(-1)
      const isMember = /^\??\.$/.test(this.#tokens.at(-2)?.text ?? '')
      // `for await (…)`
      const word = before?.text === 'await' ? this.#tokens.at(-2) : before
      this.#open.push(word?.kind === 'name' && CONDITIONS.has(word.text) && !isMember)
    } else if (sign === ')') {
      const isCondition = this.#open.pop()
      if (isCondition === undefined) throw this.#unclear('an unexpected bracket')
      this.#closed = isCondition ? 'condition' : 'value'
    }
  }
}
