import type { Language } from '../../knowledge/shell.ts'

/** What the tokenizer must know about a language to skip its strings and comments. */
export interface Syntax {
  /** Start a comment to the end of the line. */
  readonly comments: readonly string[]
  /** Enclose a block comment. */
  readonly block: readonly [open: string, close: string] | null
  readonly quotes: string
  /** Whether a quote may be tripled to span lines. */
  readonly triples: boolean
  /** A backtick quotes a text with code in it, or a shell command. */
  readonly backtick: 'text' | 'shell' | null
  /** Whether `/…/` is a regular expression where a value is expected. */
  readonly patterns: boolean
  /** Characters that start a variable's name. */
  readonly sigils: string
  /** Open code inside a string, in these quotes. */
  readonly inserts: readonly string[]
  readonly insertQuotes: string
  /** Words such as `q`, `qx` and `s` before any delimiter. */
  readonly quoteWords: boolean
  /** `%w[…]` and `%x(…)`. */
  readonly percents: boolean
}

const PLAIN: Syntax = {
  comments: ['#'],
  block: null,
  quotes: `'"`,
  triples: false,
  backtick: null,
  patterns: false,
  sigils: '',
  inserts: [],
  insertQuotes: '',
  quoteWords: false,
  percents: false,
}

export const SYNTAX: Readonly<Record<Language, Syntax>> = {
  python: { ...PLAIN, triples: true, inserts: ['{'], insertQuotes: 'f' },
  node: {
    ...PLAIN,
    comments: ['//'],
    block: ['/*', '*/'],
    backtick: 'text',
    patterns: true,
    inserts: ['${'],
    insertQuotes: '`',
  },
  perl: {
    ...PLAIN,
    backtick: 'shell',
    patterns: true,
    sigils: '$@%&',
    inserts: ['${', '@{'],
    insertQuotes: '"`',
    quoteWords: true,
  },
  ruby: {
    ...PLAIN,
    backtick: 'shell',
    patterns: true,
    sigils: '$@',
    inserts: ['#{'],
    insertQuotes: '"`',
    percents: true,
  },
  php: {
    ...PLAIN,
    comments: ['#', '//'],
    block: ['/*', '*/'],
    backtick: 'shell',
    sigils: '$',
    inserts: ['{$', '${'],
    insertQuotes: '"`',
  },
  lua: { ...PLAIN, comments: ['--'], block: ['--[[', ']]'] },
  r: PLAIN,
  awk: { ...PLAIN, quotes: '"', patterns: true, sigils: '$' },
  osascript: { ...PLAIN, comments: ['--'], quotes: '"' },
  other: { ...PLAIN, comments: ['#', '//'] },
}
