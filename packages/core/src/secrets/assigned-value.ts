import type { Writing } from './value-classifier.ts'

/** A value next to a name. */
export interface AssignedValue {
  readonly start: number
  readonly end: number
  readonly writing: Writing
}

/**
 * Between a name and its value: closing quotes, then `=`, `:`, `=>`, `:=`, `:-` of a shell default, a type with `:` or `=`,
 * the comma or bracket of a call, or the end of a tag. Every repetition is bounded.
 */
const SEPARATOR =
  /\\{0,3}["'`]?\]?\)?[?!]?(?:[ \t][*&[\]A-Za-z.]{1,24}(?=[ \t]{0,4}=[^=>]))?[ \t]{0,40}(?:=>|:=|:-|={1,3}|:(?!:)(?:[ \t]{0,2}[A-Za-z_&*][\w&*<>[\]|.?']{0,40}[ \t]{0,2}=(?![=>]))?|,(?=[ \t]{0,4}\\{0,3}["'`])|\((?=[ \t]{0,4}["'`])|(?:\|\||\?\?|or)(?=[ \t]{1,4}["'`])|(?=["'`])(?<=[ \t])|>)[ \t]{0,40}/y

/** A function around a value, `Buffer.from("…"`, and the prefix of a string. */
const WRAPPER = /(?:new[ ])?(?:[A-Za-z_][\w.:]{0,40}\()?[rbfuRBFU@$]{0,2}(?=\\{0,3}["'`])/y

/** Functions whose first argument is a name or a label. */
const TAKES_NAME =
  /(?:env|getenv|get|fetch|config|require|t|i18n|translate|read\w*|load\w*|lookup|resolve|param\w*|value|ref|import|input|getpass|prompt|select|query\w*|getelementby\w*|header|cookies?|getitem|label|gettext|_|find\w*|var|secret|describe|it|test|import_module|open|join|format|printf?|error|log)\($/i

const FALLBACK = /[^"'`\n]{0,60}?(?:\|\||\?\?|\bor\b)[ \t]{0,4}(?=["'`])/y

const END_OF_WORD = /[\s"'`,;&|)}\]<>\\]/g

const QUOTE = /["'`]/

/** The end of the separator after a name; undefined when nothing is assigned. */
export function separatorEnd(
  text: string,
  nameEnd: number,
): { readonly at: number; readonly sign: string } | undefined {
  SEPARATOR.lastIndex = nameEnd
  const found = SEPARATOR.exec(text)
  if (found === null) return undefined
  return {
    at: nameEnd + found[0].length,
    sign: found[0]
      .trim()
      .replace(/^(?:\\*["'`\])?!]+)?(?:[*&[\]A-Za-z.]+[ \t]+(?==))?/, '')
      .trim(),
  }
}

/** The value at a position: quoted, in a function's brackets, or bare. */
export function valueAt(text: string, at: number, bare: Writing, run: Run): AssignedValue | undefined {
  WRAPPER.lastIndex = at
  const wrapped = WRAPPER.exec(text)
  if (wrapped !== null) {
    if (wrapped[0] !== '' && TAKES_NAME.test(wrapped[0])) return undefined
    return quotedAt(text, at + wrapped[0].length)
  }
  const end = endOfWord(text, at, run)
  const next = text.charAt(end)
  const called = text.slice(at, Math.min(end, at + 200)).search(/[([]/) >= 0
  if (called || next === '(') return fallback(text, at)
  const code = bare === 'code' || next === ')' || next === ';'
  return { start: at, end, writing: code ? 'code' : 'bare' }
}

/** The run of characters of the last bare value. Its end is searched once, however many names it has. */
export interface Run {
  from: number
  to: number
  reads: number
}

/** INVARIANT: L10, how many names of one run are followed. */
const MAX_READS = 4

function endOfWord(text: string, at: number, run: Run): number {
  if (at < run.from || at >= run.to) {
    END_OF_WORD.lastIndex = at
    run.from = at
    run.to = END_OF_WORD.exec(text)?.index ?? text.length
    run.reads = 0
  }
  run.reads += 1
  return run.reads > MAX_READS ? at : run.to
}

/** `process.env.TOKEN || "…"`: the default of a variable. */
export function fallback(text: string, at: number): AssignedValue | undefined {
  FALLBACK.lastIndex = at
  const found = FALLBACK.exec(text)
  return found === null ? undefined : quotedAt(text, at + found[0].length)
}

function quotedAt(text: string, at: number): AssignedValue | undefined {
  let open = at
  while (text.charAt(open) === '\\') open++
  if (!QUOTE.test(text.charAt(open))) return undefined
  let start = open + 1
  const quote = text.slice(at, start)
  // Triple quotes.
  if (text.startsWith(quote + quote, start)) start += 2 * quote.length
  const limit = Math.min(text.length, start + 8192)
  for (let end = start; end < limit; end++) {
    const char = text.charAt(end)
    if (char === '\n' || char === '\r') return { start, end, writing: 'quoted' }
    if (char === '\\') {
      if (text.startsWith(quote, end) && quote.length > 1) return { start, end, writing: 'quoted' }
      end += 1
    } else if (quote.length === 1 && char === quote) return { start, end, writing: 'quoted' }
  }
  return { start, end: limit, writing: 'quoted' }
}
