import type { Assignment, ParameterExpansionPart, SimpleExpansionPart, Word, WordPart } from 'unbash'
import { substitutedText } from './command-substitution.ts'
import { isNumberWord } from './numbers.ts'
import { expandParameter } from './parameters.ts'
import { type Held, isNumber, NUMBER, type Scope } from './scope.ts'
import { substitutedPlace } from './substituted-path.ts'
import { OUTPUT, type ShellWord, WordBuilder } from './word-builder.ts'

export type { ShellWord } from './word-builder.ts'

/** Commands and variables whose value is a date, a number or a name without a slash. */
const PIECE =
  /^(?:\$\(|`) ?(?:date|whoami|hostname|uname|nproc|id -u|git (?:rev-parse|describe))\b[\w +%:'"=-]{0,80}[)`]$/
const PIECES: ReadonlySet<string> = new Set(
  '$ RANDOM ? ! # UID EUID EPOCHSECONDS LINENO SECONDS PPID BASHPID HOSTNAME'.split(' '),
)
const USERS: ReadonlySet<string> = new Set(['USER', 'LOGNAME'])
const WHO = /^(?:\$\(|`) ?whoami ?[)`]$/

/** A literal word. */
export function literalWord(value: string): ShellWord {
  return { text: value, value, glob: false, at: undefined, template: value, mayVanish: false }
}

/** An unknown word. */
export function unknownWord(text: string): ShellWord {
  return { text, value: null, glob: false, at: undefined, template: text, mayVanish: false }
}

/**
 * The words that one word of the source expands to: several after splitting or braces, none when it vanishes. `offset` is
 * where its source starts in the command; undefined for code inside a word.
 */
export function expandWord(word: Word, scope: Scope, offset?: number): ShellWord[] {
  const words: ShellWord[] = []
  expandInto(words, word, scope, offset)
  return words
}

/** Expands a word and appends the result. */
export function expandInto(words: ShellWord[], word: Word, scope: Scope, offset: number | undefined): void {
  const parts = word.parts
  const at = offset === undefined ? undefined : word.pos + offset
  if (parts === undefined) {
    const { value } = word
    words.push({ text: word.text, value, glob: false, at, template: value, mayVanish: false })
    return
  }
  const builder = new WordBuilder(word.text, at)
  for (const part of parts) addPart(builder, part, scope, false)
  for (const one of builder.finish()) words.push(one)
}

function addPart(builder: WordBuilder, part: WordPart, scope: Scope, quoted: boolean): void {
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
      if (part.parts?.some((inner) => inner.type !== 'Literal')) builder.unknown(part.text, quoted)
      else builder.glob(part.value)
      return
    case 'ExtendedGlob':
      // `@(a|b)` matches what `{a,b}` names.
      if (part.operator === '@' && /^[\w.-]+(?:\|[\w.-]+)+$/.test(part.pattern))
        builder.braces(`{${part.pattern.replaceAll('|', ',')}}`)
      else builder.glob(part.text)
      return
    case 'BraceExpansion':
      builder.braces(part.text)
      return
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      addParameter(builder, part, scope, quoted)
      return
    case 'CommandExpansion': {
      const output = substitutedText(part.script, scope, expandWord)
      const place = output === null ? substitutedPlace(part.script, scope) : null
      if (output !== null) builder.value(output, quoted)
      else if (place !== null) builder.place(place.kind === 'here' ? '.' : place.path, OUTPUT, quoted)
      else if (WHO.test(part.text)) builder.user(OUTPUT, quoted)
      else if (PIECE.test(part.text)) builder.piece(OUTPUT, quoted)
      else builder.unknown(OUTPUT, quoted)
      return
    }
    case 'ArithmeticExpansion':
      builder.piece('0', true)
      return
    default:
      builder.unknown(OUTPUT, true)
      return
  }
}

function addParameter(
  builder: WordBuilder,
  part: SimpleExpansionPart | ParameterExpansionPart,
  scope: Scope,
  quoted: boolean,
): void {
  const found = expandParameter(part, scope, unsplitValue)
  switch (found.kind) {
    case 'value': {
      const splits = quoted || scope.isUntouched('IFS') ? undefined : separators(scope.get('IFS'))
      // With an unknown IFS the shell splits at other places.
      if (splits === null) builder.unknown(part.text, quoted)
      else builder.value(found.value, quoted, splits)
      return
    }
    case 'place':
      builder.place(found.spelling, part.text, quoted)
      return
    case 'list':
      builder.list(found.values, quoted)
      return
    case 'glob':
      builder.glob(found.pattern)
      return
    case 'unknown': {
      const template = found.likely ?? (part.type === 'SimpleExpansion' ? part.text : OUTPUT)
      const name = part.type === 'SimpleExpansion' ? part.text.slice(1) : plainName(part)
      if (scope.held(name) === NUMBER) builder.piece(template, quoted)
      else if (!scope.isUntouched(name)) builder.unknown(template, quoted)
      else if (USERS.has(name)) builder.user(template, quoted)
      else if (PIECES.has(name)) builder.piece(template, quoted)
      else builder.unknown(template, quoted)
      return
    }
  }
}

/** The name in `${name}`; empty when there is an operation. */
function plainName({ parameter, operation, prefix, index }: ParameterExpansionPart): string {
  return operation === undefined && prefix === undefined && index === undefined ? parameter : ''
}

/** A pattern for the separators of an IFS that the source sets; null when unknown. */
function separators(ifs: string | null): RegExp | null {
  if (ifs === null || ifs.length > 8) return null
  return ifs === '' ? /$^/ : new RegExp(`[${ifs.replace(/[\\\]^-]/g, '\\$&')}]+`)
}

/** The value of a word that the shell neither splits nor matches against files. */
export function unsplitValue(word: Word, scope: Scope): string | null {
  return word.parts === undefined ? word.value : unsplit(word, word.parts, scope).value
}

interface Unsplit {
  readonly value: string | null
  readonly isHere: boolean
  /** The value is a pattern, since a variable in it holds one of several names. */
  readonly isPattern: boolean
}

function unsplit(word: Word, parts: readonly WordPart[], scope: Scope): Unsplit {
  const builder = new WordBuilder(word.text, undefined)
  for (const part of parts) addPart(builder, part, scope, true)
  const words = builder.finish()
  const { isHere } = builder
  if (words.length > 1 || builder.isPieced) return { value: null, isHere, isPattern: false }
  const isPattern = words[0]?.glob === true && !parts.some(({ type }) => type === 'Glob' || type === 'ExtendedGlob')
  return { value: words[0] === undefined ? '' : words[0].value, isHere, isPattern }
}

/** A date or a number: any name in one folder. */
const ANY_PIECE: Held = { kind: 'glob', pattern: '*' }

/** The value of an assignment, which is not split; null when unknown. */
export function assignedValue(assignment: Assignment, scope: Scope): Held | null {
  const { value, name } = assignment
  if (assignment.index !== undefined) return null
  if (value.type === 'ArrayValue') {
    if (assignment.append === true || value.elements.length > 64) return null
    const words = value.elements.flatMap((word) => expandWord(word, scope))
    return { kind: 'array', values: words.map((word) => (word.glob ? null : word.value)) }
  }
  const append = assignment.append === true
  const {
    value: given,
    isHere,
    isPattern,
  } = value.parts === undefined
    ? { value: value.value, isHere: false, isPattern: false }
    : unsplit(value, value.parts, scope)
  if (given === null) {
    if (isNumberWord(value, scope) && (!append || isNumber(scope.held(name)))) return NUMBER
    return PIECE.test(value.text) && !append ? ANY_PIECE : null
  }
  if (isPattern) return append ? null : { kind: 'glob', pattern: given }
  if (isHere) return append ? null : { kind: 'here', cwd: scope.cwd, path: given }
  if (!append) return given
  const before = scope.get(name)
  return before === null ? null : before + given
}
