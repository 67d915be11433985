/** Languages whose inline code is read. */
export type Language = 'python' | 'node' | 'perl' | 'ruby' | 'php' | 'lua' | 'r' | 'awk' | 'osascript' | 'other'

/** What a tokenizer must know of a language to step over its strings and comments. */
export interface Syntax {
  /** What starts a comment to the end of the line. */
  readonly comments: readonly string[]
  /** What encloses a longer comment. */
  readonly block: readonly [open: string, close: string] | null
  readonly quotes: string
  /** Whether a quote may be tripled to span lines. */
  readonly triples: boolean
  /** What a backtick means: a text with code in it, or a shell command. */
  readonly backtick: 'text' | 'shell' | null
  /** Whether `/…/` is a pattern where a value could stand. */
  readonly patterns: boolean
  /** Signs that start a variable's name. */
  readonly sigils: string
  /** What opens code inside a text, and in which quotes. */
  readonly inserts: readonly string[]
  readonly insertQuotes: string
  /** Words such as `q`, `qx` and `s` before a delimiter of one's own choice. */
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
