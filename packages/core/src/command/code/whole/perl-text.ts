import { UnclearCode } from './javascript-tokens.ts'

/** Variables by their names. SECURITY: names in capitals are those of Perl: `@ARGV`, `%ENV`, `%SIG`, `@INC`. */
export const PERL_NAME = /(?![A-Z][A-Z0-9_]+(?!\w))[A-Za-z_]\w*(?!\w|::|')/.source

const INDEX = `\\[(?:-?\\d+|\\$(?:${PERL_NAME}))\\]|\\{(?:\\w+|\\$(?:${PERL_NAME}))\\}`
/** A variable in a text, with one plain index at most: whatever is in brackets would be run as code. */
const IN_TEXT = new RegExp(
  `\\$(?:(?:${PERL_NAME})(?:${INDEX})?|[1-9]\\d?|&|\\{(?:${PERL_NAME})\\})(?![[{\\w:']|->)`,
  'y',
)
const IN_PATTERN = new RegExp(`\\$(?:${PERL_NAME})(?![[{\\w:']|->)`, 'y')
const LIST = new RegExp(`@(?:${PERL_NAME})(?![[{\\w:']|->)`, 'y')
/** Neither names of characters and properties, which load files, nor `\c`, which takes any sign. */
const TEXT_ESCAPE = /^(?:[ntrfea0QEULul]|x\{[0-9A-Fa-f]{1,6}\}|x[0-9A-Fa-f]{2}|[^\w\s])/
const PATTERN_ESCAPE = /^(?:[wWdDsSbBAzZntrfevhHRKQE0-9]|x[0-9A-Fa-f]{2}|[^\w\s])/
/** `(?{ code })` and other groups with a meaning of their own. */
const ODD_GROUP = /\((?:\*|\?(?!:|=|!|<[=!]|[imsx]{1,4}[:)]))/

function at(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0].length ?? 0
}

/** Where a text ends whose sign stands before `from`; a backslash protects the next sign, as in Perl itself. */
export function endOfText(code: string, from: number, sign: string): number {
  for (let index = from; index < code.length; index++) {
    if (code[index] === '\\') index++
    else if (code[index] === sign) return index
  }
  throw new UnclearCode('has an open text')
}

/** Checks a text in which Perl replaces variables: nothing in it may be code. */
export function checkText(text: string): void {
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]
    if (sign === '\\') {
      if (!TEXT_ESCAPE.test(text.slice(index + 1, index + 10))) throw new UnclearCode('has an unusual escape')
      index++
    } else if (sign === '$' || sign === '@') {
      const length = at(sign === '$' ? IN_TEXT : LIST, text, index)
      if (length === 0) throw new UnclearCode('has code in a text')
      index += length - 1
    }
  }
}

/** Checks a regular expression. */
export function checkPattern(text: string): void {
  if (ODD_GROUP.test(text)) throw new UnclearCode('has an unusual regular expression')
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]
    if (sign === '\\') {
      if (!PATTERN_ESCAPE.test(text.slice(index + 1, index + 10))) throw new UnclearCode('has an unusual escape')
      index++
    } else if (sign === '@') throw new UnclearCode('has code in a regular expression')
    // The end of a line, or a variable.
    else if (sign === '$' && index + 1 < text.length && !/[)|]/.test(text[index + 1] ?? '')) {
      const length = at(IN_PATTERN, text, index)
      if (length === 0) throw new UnclearCode('has code in a regular expression')
      index += length - 1
    }
  }
}
