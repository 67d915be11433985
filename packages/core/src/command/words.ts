import type { Assignment, ParsedScript, Word, WordPart } from 'unbash'
import { expandBraces } from './braces.ts'
import type { CommandWord } from './decomposition.ts'
import { expandParameter } from './parameters.ts'
import type { Scope } from './scope.ts'

/** A word while a command is being taken apart. */
export interface ShellWord extends CommandWord {
  /** The decoded text with unknown expansions left as written: code built from it can still be read. */
  readonly template: string
  /** True when it is nothing but an unquoted expansion: the shell may drop it, and run what follows. */
  readonly mayVanish: boolean
}

/** A word that is exactly this text. */
export function literalWord(value: string): ShellWord {
  return { text: value, value, glob: false, template: value, mayVanish: false }
}

/** A word nothing is known of. */
export function unknownWord(text: string): ShellWord {
  return { text, value: null, glob: false, template: text, mayVanish: false }
}

const GLOB = /[*?[]/
const SPACES = /[ \t\n]+/
/** Stands in code for what another command would print. */
const OUTPUT = '$_'

class Builder {
  readonly done: ShellWord[] = []
  readonly #text: string
  #values: string[] = ['']
  #template = ''
  #known = true
  #glob = false
  #started = false
  #unquotedUnknown = false

  constructor(text: string) {
    this.#text = text
  }

  literal(text: string): void {
    this.#values = this.#values.map((value) => value + text)
    this.#template += text
    this.#started = true
  }

  glob(text: string): void {
    this.literal(text)
    this.#glob = true
  }

  braces(text: string): void {
    const words = this.#values.length === 1 ? expandBraces(text) : null
    if (words === null) {
      this.unknown(text, true)
      return
    }
    const before = this.#values[0] ?? ''
    this.#values = words.map((word) => before + word)
    this.#template += text
    this.#started = true
  }

  unknown(template: string, quoted: boolean): void {
    this.#known = false
    this.#template += template
    if (quoted) this.#started = true
    else this.#unquotedUnknown = true
  }

  /** An expansion of known value: split and matched against files unless quoted. */
  value(value: string, quoted: boolean): void {
    if (quoted) {
      this.literal(value)
      return
    }
    if (this.#values.length > 1 && SPACES.test(value)) {
      this.unknown(OUTPUT, false)
      return
    }
    const fields = value.split(SPACES)
    fields.forEach((field, index) => {
      if (index > 0) this.#close()
      if (field === '') return
      this.literal(field)
      if (GLOB.test(field)) this.#glob = true
    })
  }

  /** `$HOME` and `$PWD`: a path in its portable spelling where a path can begin, otherwise unknown. */
  place(spelling: string, template: string, quoted: boolean): void {
    const before = this.#values[0] ?? ''
    const begins = this.#values.length === 1 && (before === '' || /[=:@]$/.test(before))
    if (begins && this.#known) this.literal(spelling)
    else this.unknown(template, quoted)
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
      for (const value of this.#values) {
        this.done.push({
          text: this.#text,
          value: this.#known ? value : null,
          glob: this.#glob,
          template: this.#values.length > 1 ? value : this.#template,
          mayVanish: !this.#started,
        })
      }
    }
    this.#values = ['']
    this.#template = ''
    this.#known = true
    this.#glob = false
    this.#started = false
    this.#unquotedUnknown = false
  }

  finish(): ShellWord[] {
    this.#close()
    return this.done
  }
}

/** The words one word of the source becomes: several after splitting or braces, none when it vanishes. */
export function expandWord(word: Word, scope: Scope): ShellWord[] {
  const parts = word.parts
  if (parts === undefined)
    return [{ text: word.text, value: word.value, glob: false, template: word.value, mayVanish: false }]
  const builder = new Builder(word.text)
  for (const part of parts) addPart(builder, part, scope, false)
  return builder.finish()
}

function addPart(builder: Builder, part: WordPart, scope: Scope, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      builder.literal(part.value)
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      // An empty pair of quotes is still a word.
      if (part.parts.length === 0) builder.literal('')
      for (const inner of part.parts) addPart(builder, inner, scope, true)
      return
    case 'Glob':
      if (part.parts?.some((inner) => inner.type !== 'Literal')) {
        builder.unknown(OUTPUT, quoted)
        return
      }
      builder.glob(part.value)
      return
    case 'ExtendedGlob':
      builder.glob(part.text)
      return
    case 'BraceExpansion':
      builder.braces(part.text)
      return
    case 'SimpleExpansion':
    case 'ParameterExpansion': {
      const found = expandParameter(part, scope)
      // With an IFS of its own the source splits where we would not.
      const splits = quoted || scope.isUntouched('IFS')
      if (found.kind === 'value' && splits) builder.value(found.value, quoted)
      else if (found.kind === 'place') builder.place(found.spelling, part.text, quoted)
      else if (found.kind === 'list') builder.list(found.values, quoted)
      else builder.unknown(part.type === 'SimpleExpansion' ? part.text : OUTPUT, quoted)
      return
    }
    case 'CommandExpansion': {
      const output = printedText(part.script, scope)
      if (output === null) builder.unknown(OUTPUT, quoted)
      else builder.value(output, quoted)
      return
    }
    default:
      builder.unknown(OUTPUT, true)
      return
  }
}

/** What `$(echo …)` and `$(printf …)` of known words print; null for anything else. */
function printedText(script: ParsedScript | undefined, scope: Scope): string | null {
  const statement = script?.commands[0]
  if (script === undefined || statement === undefined || script.commands.length !== 1) return null
  const command = statement.command
  if (command.type !== 'Command' || statement.background) return null
  if (command.prefix.length > 0 || command.redirects.length > 0) return null
  const words: ShellWord[] = []
  for (const word of command.name === undefined ? command.args : [command.name, ...command.args]) {
    if (word.type !== 'Word') return null
    words.push(...expandWord(word, scope))
  }
  return echoedText(words)
}

/** The text `echo` or `printf` would print with these words, without its last line ends; null when not plainly known. */
export function echoedText(words: readonly ShellWord[]): string | null {
  const values: string[] = []
  for (const word of words) {
    if (word.value === null || word.glob) return null
    values.push(word.value)
  }
  const [name, ...rest] = values
  if (name === 'echo') {
    const option = /^-[neE]{1,3}$/.test(rest[0] ?? '') ? (rest[0] ?? '') : ''
    const text = (option === '' ? rest : rest.slice(1)).join(' ')
    if (option.includes('e') && text.includes('\\')) return null
    return withoutLastLines(text)
  }
  if (name === 'printf') {
    const [format, ...args] = rest
    if (format === undefined || format.startsWith('-') || /\\[^n]/.test(format)) return null
    const line = format.replaceAll('\\n', '\n')
    if (!line.includes('%')) return withoutLastLines(line)
    if (line.trimEnd() === '%s') return withoutLastLines(args.join(line.slice(2)))
  }
  return null
}

function withoutLastLines(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end--
  return text.slice(0, end)
}

/** The one value of a word where only one can stand: an assignment or a redirection's target. */
export function singleValue(word: Word, scope: Scope): string | null {
  const words = expandWord(word, scope)
  const [first] = words
  if (first === undefined) return ''
  return words.length === 1 && !first.glob ? first.value : null
}

/** A word's value where the shell neither splits nor matches it. */
function unsplitValue(word: Word, scope: Scope): string | null {
  if (word.parts === undefined) return word.value
  const builder = new Builder(word.text)
  for (const part of word.parts) addPart(builder, part, scope, true)
  const words = builder.finish()
  return words.length > 1 ? null : words[0] === undefined ? '' : words[0].value
}

/** The value an assignment gives, split by nothing; null when unknown or an array. */
export function assignedValue(assignment: Assignment, scope: Scope): string | null {
  if (assignment.value.type !== 'Word' || assignment.index !== undefined) return null
  const value = unsplitValue(assignment.value, scope)
  if (value === null || assignment.append !== true) return value
  const before = scope.get(assignment.name)
  return before === null ? null : before + value
}
