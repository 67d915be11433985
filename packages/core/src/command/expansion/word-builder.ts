import type { CommandWord } from '../model/decomposition.ts'
import { CAPS } from '../model/limits.ts'
import { expandBraces } from './braces.ts'

/** A word during decomposition. */
export interface ShellWord extends CommandWord {
  /** The decoded text with unknown expansions as written, so that code in it can still be read. */
  readonly template: string
  /** True when it is only an unquoted expansion: the shell may drop it and run the next word. */
  readonly mayVanish: boolean
}

const GLOB = /[*?[]/
const SPACES = /[ \t\n]+/
const RELATIVE = /^[\w.][\w./:+*-]*$/
const HOMES = /^\/(?:home|Users)\/$/
const PLACE_BEFORE = /[=:@]$/
/** A placeholder in code for the output of another command. */
export const OUTPUT = '$_'

/** Whether an unknown piece may follow a text and the whole stay a name: not in a URL, where it could change the host. */
function mayHold(text: string): boolean {
  return text === '' || (RELATIVE.test(text) && !text.includes('://'))
}

/** Builds words from the parts of one word of the source. */
export class WordBuilder {
  readonly #done: ShellWord[] = []
  readonly #text: string
  readonly #at: number | undefined
  #value = ''
  /** Several values after a brace expansion. */
  #values: string[] | null = null
  #template = ''
  #known = true
  #glob = false
  #started = false
  #unquotedUnknown = false
  #pieced = false
  #here = false

  constructor(text: string, at: number | undefined) {
    this.#text = text
    this.#at = at
  }

  literal(text: string): void {
    if (this.#values === null) this.#value += text
    else this.#values = this.#values.map((value) => value + text)
    this.#template += text
    this.#started = true
  }

  glob(text: string): void {
    this.literal(text)
    this.#glob = true
  }

  braces(text: string): void {
    const words = expandBraces(text)
    const starts = this.#values ?? [this.#value]
    if (words === null || words.length * starts.length > CAPS.braces) {
      this.unknown(text, true)
      return
    }
    this.#values = starts.flatMap((start) => words.map((word) => start + word))
    this.#template += text
    this.#started = true
  }

  unknown(template: string, quoted: boolean): void {
    this.#known = false
    this.#template += template
    if (quoted) this.#started = true
    else this.#unquotedUnknown = true
  }

  /** An unknown piece without a slash, such as a date: after a relative start it acts like a glob. */
  piece(template: string, quoted: boolean): void {
    if (!this.#known || this.#values !== null || !mayHold(this.#value)) {
      this.unknown(template, quoted)
      return
    }
    this.#value += '*'
    this.#template += template
    this.#glob = true
    this.#started = true
    this.#pieced = true
  }

  /** The user's name; after `/home/` it makes the home folder. */
  user(template: string, quoted: boolean): void {
    if (this.#known && this.#values === null && HOMES.test(this.#value)) {
      this.#value = '~'
      this.#template += template
    } else this.piece(template, quoted)
  }

  /** Whether a word contains an unknown piece. */
  get isPieced(): boolean {
    return this.#pieced
  }

  /** An expansion with a known value: split, and matched against files, unless quoted. */
  value(value: string, quoted: boolean, splits: RegExp = SPACES): void {
    if (quoted) {
      this.literal(value)
      return
    }
    if (this.#values !== null && splits.test(value)) {
      this.unknown(OUTPUT, false)
      return
    }
    const fields = value.split(splits)
    for (let index = 0; index < fields.length; index++) {
      if (index > 0) this.#close()
      const field = fields[index] ?? ''
      if (field === '') continue
      this.literal(field)
      if (GLOB.test(field)) this.#glob = true
    }
  }

  /** Whether a path starts with the current folder. */
  get isHere(): boolean {
    return this.#here
  }

  /** `$HOME`, `$PWD` and similar: `~` or `.` at the start of a path, otherwise unknown. */
  place(spelling: string, template: string, quoted: boolean): void {
    const begins = this.#values === null && (this.#value === '' || PLACE_BEFORE.test(this.#value))
    if (begins && this.#known) {
      if (spelling === '.') this.#here = true
      this.literal(spelling)
    } else this.unknown(template, quoted)
  }

  /** `"$@"` of known parameters: one word each. */
  list(values: readonly (string | null)[], quoted: boolean): void {
    values.forEach((value, index) => {
      if (index > 0) this.#close()
      if (value === null) this.unknown('$1', quoted)
      else this.value(value, quoted)
    })
  }

  #close(): void {
    if (this.#started || this.#unquotedUnknown) {
      if (this.#values === null) this.#push(this.#value, this.#template)
      else for (const value of this.#values) this.#push(value, value)
    }
    this.#value = ''
    this.#values = null
    this.#template = ''
    this.#known = true
    this.#glob = false
    this.#started = false
    this.#unquotedUnknown = false
  }

  #push(value: string, template: string): void {
    // An empty alternative, such as the second of `{bash,}`, is not a word.
    if (this.#values !== null && value === '' && this.#known) return
    // A word of only unknown pieces is unknown.
    const known = this.#known && !(this.#pieced && value === '*')
    this.#done.push({
      text: this.#text,
      value: known ? value : null,
      glob: known && this.#glob,
      at: this.#at,
      template,
      mayVanish: !this.#started,
    })
  }

  finish(): ShellWord[] {
    this.#close()
    return this.#done
  }
}
