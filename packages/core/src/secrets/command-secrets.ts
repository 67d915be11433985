import { hasSecretOptions, SecretOptions } from './secret-options.ts'
import type { SecretSpan } from './span.ts'

/** A word of a shell command without its quotes, and where each of its characters is in the text. */
interface ShellWord {
  readonly value: string
  readonly places: readonly number[]
  readonly end: number
  readonly isQuoted: boolean
}

/** Quoted commands inside commands that are read: `bash -c "ssh host 'mysql -p…'"`. */
const MAX_DEPTH = 4
const NAME = /[A-Za-z0-9][\w.+-]*/g
const BLANK = /\s/
/** `3<<< x`: input of a numbered descriptor. */
const NUMBERED = /^\d{1,2}<</
const QUOTE = /["']/
const SEPARATOR = /[;|&()`\n]/
const PRINTERS: ReadonlySet<string> = new Set(['echo', 'printf'])

/** Whether a text names a program that has options for secrets. */
export function mayNameProgram(text: string): boolean {
  for (const [name] of text.matchAll(NAME)) if (name.length <= 24 && hasSecretOptions(name)) return true
  return false
}

/**
 * Secrets on the command lines in a text, by the options of their programs, and those that are piped into them. Reads like a
 * shell, but any text will do. `isNamed` decides whether a value counts.
 */
export function findCommandSecrets(text: string, found: SecretSpan[], isNamed?: (value: string) => boolean): void {
  if (mayNameProgram(text)) new CommandReader(text, (at) => at, { found, isNamed }, 0).read()
}

interface Result {
  readonly found: SecretSpan[]
  readonly isNamed: ((value: string) => boolean) | undefined
}

class CommandReader {
  readonly #text: string
  readonly #place: (at: number) => number
  readonly #result: Result
  readonly #depth: number
  #options: SecretOptions
  /** Where the words of this pipeline are that are printed or are a here-string. */
  #input: (readonly [number, number])[] = []
  #isPrinter: boolean | null = null
  #pipeReads = false
  #hereDocument: string | null = null
  #isHereString = false

  constructor(text: string, place: (at: number) => number, result: Result, depth: number, around?: SecretOptions) {
    this.#options = new SecretOptions(around)
    this.#text = text
    this.#place = place
    this.#result = result
    this.#depth = depth
  }

  read(): void {
    const text = this.#text
    let at = 0
    while (at < text.length) {
      const letter = text.charAt(at)
      if (letter === '\\' && text.charAt(at + 1) === '\n') at += 2
      else if (SEPARATOR.test(letter) && !this.#isRedirection(at)) at = this.#separate(at, letter)
      else if (BLANK.test(letter)) at += 1
      else if (text.startsWith('<<', at)) at = this.#hereInput(at)
      else if (NUMBERED.test(text.slice(at, at + 4))) at = this.#hereInput(text.indexOf('<', at))
      else at = this.#word(readWord(text, at))
    }
    this.#endCommand()
    this.#endPipeline()
  }

  /** `2>&1` and `&>file` are no ends of a command. */
  #isRedirection(at: number): boolean {
    return this.#text.charAt(at) === '&' && (this.#text.charAt(at - 1) === '>' || this.#text.charAt(at + 1) === '>')
  }

  #separate(at: number, letter: string): number {
    this.#endCommand()
    const isPipe = letter === '|' && this.#text.charAt(at + 1) !== '|'
    if (isPipe) return at + 1
    const delimiter = letter === '\n' && this.#pipeReads ? this.#hereDocument : null
    this.#endPipeline()
    if (delimiter === null) return at + (letter === '|' ? 2 : 1)
    const end = bodyEnd(this.#text, at + 1, delimiter)
    this.#hide(at + 1, end)
    return end
  }

  #hereInput(at: number): number {
    if (this.#text.startsWith('<<<', at)) {
      this.#isHereString = true
      return at + 3
    }
    const start = at + (this.#text.charAt(at + 2) === '-' ? 3 : 2)
    const word = readWord(this.#text, start + (/^ */.exec(this.#text.slice(start, start + 8))?.[0].length ?? 0))
    this.#hereDocument = word.value
    return Math.max(word.end, at + 2)
  }

  #word({ value, places, end, isQuoted }: ShellWord): number {
    if (value === '') return end
    if (this.#isHereString) {
      this.#isHereString = false
      this.#input.push([places[0] ?? end, end])
      this.#inner(value, places, end)
      return end
    }
    const start = this.#options.next(value)
    if (start !== null) this.#hide(places[start] ?? end, end, value.slice(start))
    else if (isQuoted) this.#inner(value, places, end)
    if (this.#isPrinter === null) this.#isPrinter = PRINTERS.has(value)
    else if (this.#isPrinter && !value.startsWith('-')) this.#input.push([places[0] ?? end, end])
    return end
  }

  /** A command in a word: `bash -c '…'`, or `at now <<< '…'`. */
  #inner(value: string, places: readonly number[], end: number): void {
    if (!BLANK.test(value) || this.#depth >= MAX_DEPTH) return
    const place = (at: number): number => this.#place(places[at] ?? end)
    new CommandReader(value, place, this.#result, this.#depth + 1, this.#options).read()
  }

  #endCommand(): void {
    this.#pipeReads ||= this.#options.readsSecret
    this.#options = new SecretOptions()
    this.#isPrinter = null
    this.#isHereString = false
  }

  #endPipeline(): void {
    if (this.#pipeReads) for (const [start, end] of this.#input) this.#hide(start, end)
    this.#input = []
    this.#pipeReads = false
    this.#hereDocument = null
  }

  /** Hides a value, but not the quote after it. */
  #hide(start: number, end: number, value = this.#text.slice(start, end)): void {
    const last = this.#text.charAt(end - 1)
    const to = QUOTE.test(last) && this.#text.lastIndexOf(last, end - 2) >= 0 ? end - 1 : end
    if (to <= start || /^\s*$/.test(value) || this.#result.isNamed?.(value) === false) return
    const from = this.#place(start)
    this.#result.found.push({ start: from, end: this.#place(to - 1) + 1, kind: 'secret' })
  }
}

/** The end of a here-document: the line of its delimiter, or the end of the text. */
function bodyEnd(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; ) {
    const next = text.indexOf('\n', at)
    const end = next < 0 ? text.length : next
    if (text.slice(at, end).trim() === delimiter) return at
    at = end + 1
  }
  return text.length
}

/** Reads one word: quotes and backslashes are removed, and a list in JSON or Python counts as words. */
function readWord(text: string, start: number): ShellWord {
  let value = ''
  const places: number[] = []
  let quote = ''
  let isQuoted = false
  let at = start
  for (; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quote !== '') {
      if (letter === quote) quote = ''
      else if (letter === '\\' && quote === '"' && /["\\$`]/.test(text.charAt(at + 1))) {
        at += 1
        value += text.charAt(at)
        places.push(at)
      } else {
        value += letter
        places.push(at)
      }
      continue
    }
    if (QUOTE.test(letter)) {
      quote = letter
      isQuoted = true
    } else if (letter === '\\' && at + 1 < text.length) {
      at += 1
      if (text.charAt(at) === '\n') continue
      value += text.charAt(at)
      places.push(at)
    } else if (BLANK.test(letter) || (SEPARATOR.test(letter) && !isKept(text, at))) break
    else if (isQuoted && endsItem(text, at, letter)) return { value, places, end: at + 1, isQuoted }
    else if (value !== '' || !/[[{,]/.test(letter)) {
      value += letter
      places.push(at)
    }
  }
  return { value, places, end: Math.max(at, start + 1), isQuoted }
}

/** The end of an item in JSON or Python: `"mysql",`, `"command":"…"`. */
function endsItem(text: string, at: number, letter: string): boolean {
  return /[,\]}]/.test(letter) || (letter === ':' && /^\s?["'[{]/.test(text.slice(at + 1, at + 3)))
}

function isKept(text: string, at: number): boolean {
  return text.charAt(at) === '&' && (text.charAt(at - 1) === '>' || text.charAt(at + 1) === '>')
}
