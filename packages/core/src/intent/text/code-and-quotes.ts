/** A piece of text that is not the agent's own mode: shown code, or somebody else's words. */
export interface Excerpt {
  readonly kind: 'code' | 'fence' | 'quote'
  readonly text: string
}

/** A text without its code and quotations; `OPEN n CLOSE` marks where the n-th one was. */
export interface ExtractedText {
  readonly text: string
  readonly excerpts: readonly Excerpt[]
}

/** Marks around the number of an excerpt: private-use characters, which are removed from the text first. */
export const OPEN = '\uE000'
export const CLOSE = '\uE001'

const PAIRS: Readonly<Record<string, string>> = {
  '“': '”',
  '«': '»',
  '„': '“',
  '「': '」',
  '『': '』',
  '‹': '›',
  '"': '"',
  "'": "'",
}

/** Excerpts past this number are removed from the text but not read. */
const MAX_EXCERPTS = 2000

/** Takes fenced code, block quotes, inline code and quotations out of a normalized text. One linear pass. */
export function extractCodeAndQuotes(text: string): ExtractedText {
  const excerpts: Excerpt[] = []
  const mark = (kind: Excerpt['kind'], inner: string): string => {
    if (excerpts.length < MAX_EXCERPTS) excerpts.push({ kind, text: inner })
    else if (excerpts.length === MAX_EXCERPTS) excerpts.push({ kind: 'quote', text: '' }) // for all that follow
    return `${OPEN}${excerpts.length - 1}${CLOSE}`
  }
  const out: string[] = []
  let paragraph: string[] = []
  const close = () => {
    if (paragraph.length > 0) out.push(extractInline(paragraph.join('\n'), mark))
    paragraph = []
  }
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const start = line.trimStart()
    const fence = start.startsWith('```') ? '```' : start.startsWith('~~~') ? '~~~' : ''
    if (fence !== '' && !start.slice(3).includes(fence)) {
      close()
      let end = at + 1
      while (end < lines.length && !(lines[end] ?? '').trimStart().startsWith(fence)) end++
      out.push(mark('fence', lines.slice(at + 1, end).join('\n')))
      at = end
    } else if (start.startsWith('>')) {
      close()
      out.push('')
    } else if (start === '') {
      close()
      out.push('')
    } else if (isIndentedCode(line, lines[at - 1] ?? '')) {
      close()
      out.push(mark('fence', start))
    } else paragraph.push(line)
  }
  close()
  return { text: out.join('\n'), excerpts }
}

function isIndentedCode(line: string, before: string): boolean {
  return /^(?: {4}|\t)\s{0,8}\S/.test(line) && before.trim() === '' && !/^\s+(?:[-*+•]|\d+[.)])\s/.test(line)
}

function extractInline(text: string, mark: (kind: Excerpt['kind'], inner: string) => string): string {
  const spent = new Set<string>() // closing marks that do not occur again
  let out = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    const end = char === '`' ? codeEnd(text, at, spent) : char in PAIRS ? quoteEnd(text, at, spent) : null
    if (end === null) continue
    const kind = char === '`' ? 'code' : 'quote'
    out += `${text.slice(from, at)} ${mark(kind, text.slice(end.from, end.to))} `
    from = end.after
    at = end.after - 1
  }
  return out + text.slice(from)
}

interface End {
  readonly from: number
  readonly to: number
  readonly after: number
}

function codeEnd(text: string, at: number, spent: Set<string>): End | null {
  const run = text.startsWith('```', at) ? '```' : text.startsWith('``', at) ? '``' : '`'
  if (spent.has(run)) return null
  const to = text.indexOf(run, at + run.length)
  if (to < 0) spent.add(run)
  return to < 0 ? null : { from: at + run.length, to, after: to + run.length }
}

function quoteEnd(text: string, at: number, spent: Set<string>): End | null {
  const close = PAIRS[text[at] ?? ''] ?? ''
  if (spent.has(close)) return null
  const isStraight = close === '"' || close === "'"
  if (isStraight && (isWordChar(text[at - 1]) || !isSomething(text[at + 1]))) return null
  let to = text.indexOf(close, at + 1)
  if (close === "'")
    while (to >= 0 && (isWordChar(text[to + 1]) || !isSomething(text[to - 1]))) to = text.indexOf(close, to + 1)
  if (to < 0) spent.add(close)
  return to <= at + 1 ? null : { from: at + 1, to, after: to + 1 }
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char)
}

function isSomething(char: string | undefined): boolean {
  return char !== undefined && char.trim() !== ''
}
