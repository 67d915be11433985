/** One token of SQL text, without comments and blanks. The `text` of a word is in lower case. */
export interface SqlToken {
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'mark' | 'client'
  readonly text: string
  /** As written, for words and names. */
  readonly raw: string
}

/**
 * How one dialect reads ambiguous text. The server is unknown, so ambiguous text is read in every way, and the worst
 * reading counts.
 */
export interface SqlReading {
  readonly nestedComments: boolean
  /** A backslash escapes the next character in any string. */
  readonly backslashes: boolean
  /** `#` starts a comment, and the content of an executable comment (`/*!`) runs. */
  readonly mysqlComments: boolean
  readonly dollarQuotes: boolean
}

export const POSTGRES: SqlReading = {
  nestedComments: true,
  backslashes: false,
  mysqlComments: false,
  dollarQuotes: true,
}
export const MYSQL: SqlReading = { nestedComments: false, backslashes: true, mysqlComments: true, dollarQuotes: false }
export const PLAIN: SqlReading = {
  nestedComments: false,
  backslashes: false,
  mysqlComments: false,
  dollarQuotes: false,
}

/** Whether dialects could disagree on where this text's strings and comments end. */
export function isAmbiguous(sql: string): boolean {
  return /[\\#$]|\/\*/.test(sql)
}

export interface LexedSql {
  readonly tokens: readonly SqlToken[]
  /** False if a string, name or comment has no end: from there on the text is not SQL of this dialect. */
  readonly whole: boolean
}

const WORD = /[\p{L}_@][\p{L}\p{N}_$@#]*/uy
const NUMBER = /(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy
const DOLLAR = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy
const TEMP_NAME = /##?[\p{L}_][\p{L}\p{N}_]*/uy
const BLANK = /\s/
const CLIENT_LETTER = /[A-Za-z!.?]/

/** Splits SQL into tokens in one pass. */
export function lexSql(sql: string, reading: SqlReading): LexedSql {
  const tokens: SqlToken[] = []
  const add = (kind: SqlToken['kind'], text: string, raw = text): void => void tokens.push({ kind, text, raw })
  const matchAt = (pattern: RegExp, at: number): string | null => {
    pattern.lastIndex = at
    return pattern.exec(sql)?.[0] ?? null
  }
  let runsUntilClose = 0
  let lineStart = true
  for (let at = 0; at < sql.length; ) {
    const char = sql[at] ?? ''
    const next = sql[at + 1] ?? ''
    if (BLANK.test(char)) {
      if (char === '\n') lineStart = true
      at++
      continue
    }
    const fresh = lineStart
    lineStart = false
    if ((char === '-' && next === '-') || (char === '#' && reading.mysqlComments)) {
      const end = sql.indexOf('\n', at)
      at = end === -1 ? sql.length : end
      continue
    }
    if (char === '/' && next === '*') {
      const runs = reading.mysqlComments && /^\/\*M?!/.test(sql.slice(at, at + 4))
      if (runs) {
        const digits = /\/\*M?!\d*/y
        at += (matchAt(digits, at) ?? '/*!').length
        runsUntilClose++
        continue
      }
      const end = endOfComment(sql, at, reading.nestedComments)
      if (end === null) return { tokens, whole: false }
      at = end
      continue
    }
    if (char === '*' && next === '/') {
      if (runsUntilClose === 0) return { tokens, whole: false }
      runsUntilClose--
      at += 2
      continue
    }
    const atStart = tokens.length === 0 || tokens.at(-1)?.text === ';'
    if ((char === '\\' && CLIENT_LETTER.test(next)) || (char === '.' && fresh && atStart && /[a-z]/i.test(next))) {
      const end = endOf(sql, '\n', at)
      add('client', sql.slice(at, end).trim())
      add('mark', ';')
      at = end
      lineStart = true
      continue
    }
    if (char === "'" || char === '"' || char === '`') {
      const escaped = char !== '`' && (reading.backslashes || (char === "'" && isEscapeString(tokens, sql, at)))
      const end = endOfQuoted(sql, at, char, escaped)
      if (end === null) return { tokens, whole: false }
      const inner = sql.slice(at + 1, end - 1)
      const isString = char === "'" || (char === '"' && reading.backslashes)
      add(isString ? 'string' : 'name', isString ? inner : inner.toLowerCase(), inner)
      at = end
      continue
    }
    if (char === '[' && /[\p{L}_#]/u.test(next) && !isSubscript(sql, at)) {
      const end = sql.indexOf(']', at)
      if (end === -1) return { tokens, whole: false }
      add('name', sql.slice(at + 1, end).toLowerCase(), sql.slice(at + 1, end))
      at = end + 1
      continue
    }
    if (char === '$') {
      const tag = matchAt(DOLLAR, at)
      if (tag !== null) {
        const end = reading.dollarQuotes ? sql.indexOf(tag, at + tag.length) : -1
        if (end === -1) return { tokens, whole: false }
        add('string', sql.slice(at + tag.length, end))
        at = end + tag.length
        continue
      }
    }
    const temp = char === '#' ? matchAt(TEMP_NAME, at) : null
    if (temp !== null) {
      add('name', temp.toLowerCase(), temp)
      at += temp.length
      continue
    }
    const word = matchAt(WORD, at)
    if (word !== null) {
      add('word', word.toLowerCase(), word)
      at += word.length
      continue
    }
    const number = matchAt(NUMBER, at)
    if (number !== null && number !== '') {
      add('number', number)
      at += number.length
      continue
    }
    const pair = char + next
    const mark = OPERATORS.has(pair) ? pair : char
    add('mark', mark)
    at += mark.length
  }
  return { tokens, whole: runsUntilClose === 0 }
}

const OPERATORS: ReadonlySet<string> = new Set(['<>', '!=', '<=', '>=', '||', '&&', '::', ':=', '=='])

function endOf(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from)
  return found === -1 ? sql.length : found + mark.length
}

function endOfComment(sql: string, from: number, nested: boolean): number | null {
  if (!nested) {
    const end = sql.indexOf('*/', from + 2)
    return end === -1 ? null : end + 2
  }
  let depth = 1
  for (let at = from + 2; at < sql.length - 1; at++) {
    if (sql[at] === '/' && sql[at + 1] === '*') {
      depth++
      at++
    } else if (sql[at] === '*' && sql[at + 1] === '/') {
      depth--
      at++
      if (depth === 0) return at + 1
    }
  }
  return null
}

/** The position after the closing quote; a doubled quote is a literal one. */
function endOfQuoted(sql: string, from: number, quote: string, backslashes: boolean): number | null {
  for (let at = from + 1; at < sql.length; at++) {
    if (backslashes && sql[at] === '\\') at++
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1
      at++
    }
  }
  return null
}

/** `E'…'` has backslash escapes in PostgreSQL; the prefix is a word directly before the quote. */
function isEscapeString(tokens: SqlToken[], sql: string, at: number): boolean {
  const before = tokens.at(-1)
  if (before?.kind !== 'word' || before.text !== 'e' || sql[at - 1]?.toLowerCase() !== 'e') return false
  tokens.pop()
  return true
}

/** `array[x]` and `a[b]` are subscripts; `[my table]` is a name. */
function isSubscript(sql: string, at: number): boolean {
  return /[\p{L}\p{N}_\])]/u.test(sql[at - 1] ?? ' ')
}
