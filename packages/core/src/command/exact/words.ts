import type { Word, WordPart } from 'unbash'
import { computeExpression } from './arithmetic.ts'
import { listingWords } from './listed-files.ts'
import { ansi, checkLiteral, checkQuoted, checkText } from './literal-text.ts'
import { expandParameter } from './parameters.ts'
import { type ExactState, type ExactWalk, type ExactWord, Inexact, SOME_NUMBER, type Value } from './state.ts'

const ITEMS = /^\{([\w./%+@-]*(?:,[\w./%+@-]*)+)\}$/
const SEQUENCE = /^\{(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})\}$/
const MOST_ITEMS = 64

/** A word with this text and nothing to expand. */
export function literal(text: string): ExactWord {
  return { text, glob: null, spread: false, isNumber: false, isPipe: false, isWritten: true }
}

/** A word of any text; `spread`: any number of words. */
export function anyWord(spread: boolean): ExactWord {
  return { ...literal(''), text: null, spread, isWritten: false }
}

/** A word while its parts are added. */
class Field {
  text: string | null = ''
  glob: 'written' | 'loop' | null = null
  spread = false
  isNumber = false
  isPipe = false
  isStarted = false
  pieces = 0
}

/** Expands the words of one command. */
export class Expansion {
  readonly #state: ExactState
  readonly #walk: ExactWalk

  constructor(state: ExactState, walk: ExactWalk) {
    this.#state = state
    this.#walk = walk
  }

  /** The words that one word of the source becomes. */
  words(word: Word): readonly ExactWord[] {
    const { parts } = word
    if (parts === undefined) {
      checkLiteral(word.text, true)
      return [literal(word.value)]
    }
    if (parts.some(({ type }) => type === 'BraceExpansion')) return this.#braces(parts)
    const [only] = parts
    if (parts.length === 1 && only?.type === 'CommandExpansion') return [this.#substituted(only)]
    return this.#fields(parts)
  }

  /** The value of a word that is neither split nor matched: of an assignment, after `case`, in `[[ … ]]`. */
  value(word: Word): Value {
    if (word.parts === undefined) {
      checkLiteral(word.text, true)
      return { kind: 'text', text: word.value }
    }
    const [only] = word.parts
    if (word.parts.length === 1 && only?.type === 'ArithmeticExpansion') {
      this.compute(only)
      return SOME_NUMBER
    }
    return this.#joined(word.parts)
  }

  /** Visits a pattern for what it runs. */
  visit(parts: readonly WordPart[]): void {
    for (const part of parts) if (part.type !== 'Glob' && part.type !== 'Literal') this.#joined([part])
  }

  /** Visits the text of a here-document, where quotes are only characters. */
  visitText(parts: readonly WordPart[]): void {
    checkText(parts)
    this.visit(parts)
  }

  #joined(parts: readonly WordPart[]): Value {
    let text: string | null = ''
    for (const part of parts) {
      if (part.type === 'DoubleQuoted') checkQuoted(part.parts)
      const one: Value = part.type === 'DoubleQuoted' ? this.#joined(part.parts) : this.#single(part)
      if (one.kind === 'number' && parts.length === 1) return one
      if (one.kind === 'match' && parts.length === 1) return one
      text = text === null || one.kind !== 'text' ? null : text + one.text
    }
    return text === null ? { kind: 'data' } : { kind: 'text', text }
  }

  /** The value of one part where nothing is split. */
  #single(part: WordPart): Value {
    switch (part.type) {
      case 'Literal':
        checkLiteral(part.text, true)
        return { kind: 'text', text: part.value }
      case 'SingleQuoted':
        return { kind: 'text', text: part.value }
      case 'AnsiCQuoted':
        return { kind: 'text', text: ansi(part) }
      case 'Glob':
        if (part.parts?.some(({ type }) => type !== 'Literal')) throw new Inexact()
        return { kind: 'text', text: part.text }
      case 'SimpleExpansion':
      case 'ParameterExpansion': {
        const found = expandParameter(part, this.#state, this)
        return found.kind === 'list' ? { kind: 'data' } : found
      }
      case 'CommandExpansion':
        this.#substitute(part)
        return { kind: 'data' }
      case 'ArithmeticExpansion':
        this.compute(part)
        return SOME_NUMBER
      default:
        throw new Inexact()
    }
  }

  #fields(parts: readonly WordPart[]): readonly ExactWord[] {
    const done: Field[] = []
    let field = new Field()
    const isWritten = parts.every(isWrittenPart)
    const close = (): void => {
      if (field.isStarted || field.spread) done.push(field)
      field = new Field()
    }
    const add = (text: string | null): void => {
      field.text = field.text === null || text === null ? null : field.text + text
      field.isStarted = true
      field.pieces++
    }
    const addValue = (value: Value, quoted: boolean): void => {
      switch (value.kind) {
        case 'text':
          if (quoted) add(value.text)
          else this.#split(value.text, add, close)
          return
        case 'list':
          value.items.forEach((item, at) => {
            if (at > 0) close()
            if (quoted) add(item)
            else this.#split(item, add, close)
          })
          // An empty list next to other text leaves that text, and is no word alone.
          return
        case 'number':
          if (!quoted && this.#state.splitsOtherwise) throw new Inexact()
          add(null)
          field.isNumber = true
          field.spread ||= !quoted && value.mayBeEmpty === true
          return
        case 'match':
          add(quoted ? value.pattern : null)
          if (quoted) field.glob = 'loop'
          else field.spread = true
          return
        case 'data':
          add(null)
          field.spread ||= !quoted
          return
      }
    }
    const addPart = (part: WordPart, quoted: boolean, at: number): void => {
      switch (part.type) {
        case 'Literal':
          if (!quoted) checkLiteral(part.text, at === 0)
          add(part.value)
          return
        case 'SingleQuoted':
          add(part.value)
          return
        case 'AnsiCQuoted':
          add(ansi(part))
          return
        case 'DoubleQuoted':
          if (part.parts.length === 0) add('')
          checkQuoted(part.parts)
          for (const inner of part.parts) addPart(inner, true, 1)
          return
        case 'Glob':
          if (this.#state.noMatching || part.parts?.some(({ type }) => type !== 'Literal')) throw new Inexact()
          add(part.text)
          field.glob = 'written'
          return
        case 'SimpleExpansion':
        case 'ParameterExpansion': {
          const found = expandParameter(part, this.#state, this)
          const isList = found.kind === 'data' && /[@*]/.test(part.text)
          addValue(found, quoted && !isList)
          return
        }
        case 'CommandExpansion':
          this.#substitute(part)
          addValue({ kind: 'data' }, quoted)
          return
        case 'ArithmeticExpansion':
          this.compute(part)
          addValue(SOME_NUMBER, quoted)
          return
        case 'ProcessSubstitution':
          if (part.operator !== '<' || parts.length !== 1) throw new Inexact()
          this.#walk.script(part.script, this.#state.nested())
          add('/dev/fd/63')
          field.isPipe = true
          return
        default:
          throw new Inexact()
      }
    }
    for (const [at, part] of parts.entries()) addPart(part, false, at)
    close()
    return done.map((one) => {
      // A pattern is matched whole: no other text may be in it that was quoted or expanded.
      if (one.glob === 'written' && !(isWritten && isPlainPattern(parts))) throw new Inexact()
      const isLoop = one.glob === 'loop'
      const { text, spread, isPipe } = one
      return {
        text: isLoop && one.pieces > 1 ? null : text,
        glob: isLoop && one.pieces > 1 ? null : one.glob,
        spread,
        isNumber: one.isNumber && one.pieces === 1,
        isPipe,
        isWritten,
      }
    })
  }

  /** Splits an unquoted value at white space. Its wildcards would be matched. */
  #split(text: string, add: (text: string) => void, close: () => void): void {
    if (this.#state.splitsOtherwise || /[*?[\\]/.test(text)) throw new Inexact()
    text.split(/[ \t\n]+/).forEach((item, at) => {
      if (at > 0) close()
      if (item !== '') add(item)
    })
  }

  #braces(parts: readonly WordPart[]): readonly ExactWord[] {
    let texts = ['']
    for (const [at, part] of parts.entries()) {
      const found = part.type === 'BraceExpansion' ? alternatives(part.text) : [plainText(part, at)]
      if (texts.length * found.length > MOST_ITEMS) throw new Inexact()
      texts = texts.flatMap((start) => found.map((end) => start + end))
    }
    // An empty alternative alone is no word.
    return texts.filter((text) => text !== '').map((text) => ({ ...literal(text), isWritten: false }))
  }

  /** The value of one part where nothing is split. */
  part(part: WordPart): Value {
    return this.#single(part)
  }

  compute(part: WordPart & { type: 'ArithmeticExpansion' }): void {
    computeExpression(part.expression, this.#state, (inner) => this.#single(inner))
  }

  /** `$(…)`, not quoted: any number of words, or those that git lists. */
  #substituted(part: WordPart & { type: 'CommandExpansion' }): ExactWord {
    this.#substitute(part)
    const { splitsOtherwise, folders } = this.#state
    const isPlain = !splitsOtherwise && folders.every((folder) => folder === '')
    const listed = isPlain && part.script !== undefined ? listingWords(part.script) : null
    return { ...anyWord(true), ...(listed === null ? {} : { listed }) }
  }

  #substitute(part: WordPart & { type: 'CommandExpansion' }): void {
    this.#walk.script(part.script, this.#state.nested())
  }
}

function isWrittenPart({ type }: WordPart): boolean {
  return type === 'Literal' || type === 'SingleQuoted' || type === 'DoubleQuoted' || type === 'Glob'
}

/** A pattern of plain names and wildcards, spelled alike for bash and for us. */
function isPlainPattern(parts: readonly WordPart[]): boolean {
  return parts.every(
    ({ type, text }) =>
      (type === 'Literal' && /^[\w./@%+,=-]*$/.test(text)) || (type === 'Glob' && /^(?:[*?]|\[[\w.-]+\])$/.test(text)),
  )
}

function plainText(part: WordPart, at: number): string {
  if (part.type === 'SingleQuoted') return part.value
  if (part.type !== 'Literal') throw new Inexact()
  checkLiteral(part.text, at === 0)
  return part.value
}

function alternatives(text: string): readonly string[] {
  const items = ITEMS.exec(text)?.[1]
  if (items !== undefined) return items.split(',')
  const [, first, last] = SEQUENCE.exec(text) ?? []
  const length = Number(last) - Number(first) + 1
  if (first === undefined || !(length > 0 && length <= MOST_ITEMS)) throw new Inexact()
  return Array.from({ length }, (_, at) => String(Number(first) + at))
}
