/** Headers of the C language itself. Others could expand to code for the assembler. */
const HEADERS =
  /^<(?:assert|ctype|errno|float|inttypes|iso646|limits|locale|math|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|time|wchar|wctype)\.h>$/
const DIRECTIVE = /^\s*#\s*([a-z]*)\s*(.*?)\s*$/
const DIRECTIVES: ReadonlySet<string> = new Set('define undef if ifdef ifndef else elif endif error warning'.split(' '))
/**
 * What could make the compiler or the assembler read another file: names that are reserved for them, attributes, joined
 * names, and other ways to write a `#` or a letter.
 */
const POWERS = /asm|attribute|pragma|incbin|embed|\b_[_A-Z]|##|\?\?|%:|<:|\[\[|\\[uUN]|\\\r?\n|\\\r?$/

/**
 * Whether compiling a C source reads nothing but the source and headers of the language: no other file can end up in the
 * output or in an error message.
 */
export function isPlainSource(text: string): boolean {
  if (!/^[\t\n\r\x20-\x7e]*$/.test(text) || POWERS.test(text)) return false
  return text.split(/\r?\n|\r/).every((line) => {
    if (!line.includes('#')) return true
    // Behind the end of a comment, or twice in a line, it is not read.
    const [, name = '', rest = ''] = DIRECTIVE.exec(line) ?? []
    if (rest.includes('#')) return false
    if (name === 'include') return HEADERS.test(rest)
    return DIRECTIVES.has(name)
  })
}
