import type { Language } from '../../knowledge/shell.ts'
import { argumentStarts, type Constants, valueAt } from './constant-values.ts'
import type { CodeToken } from './tokenizer.ts'

/** What code starts: a shell command, or a program with its arguments. */
export type RunCommand =
  | { readonly kind: 'shell'; readonly text: string; readonly known: boolean }
  | { readonly kind: 'words'; readonly words: readonly (string | null)[] }

/** Code inside a string. */
const INSERTS: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /\{[^{}]{0,400}\}/g,
  node: /\$\{[^{}]{0,400}\}/g,
  ruby: /#\{[^{}]{0,400}\}/g,
  php: /\{\$[^{}]{0,400}\}/g,
}

const isSign = (token: CodeToken | undefined, text: string) => token?.kind === 'sign' && token.text === text

/** What a call such as `system(…)`, `run([…])` or `spawn('x', […])` starts; null when it is computed. */
export function readRun(
  tokens: readonly CodeToken[],
  starts: readonly number[],
  constants: Constants,
  language: Language,
): RunCommand | null {
  const [first] = starts
  if (first === undefined) return null
  // AppleScript: `do shell script "…"`.
  const at = language === 'osascript' && tokens[first]?.kind !== 'string' ? first + 1 : first
  if (isSign(tokens[at], '[')) return words(listAt(tokens, at, constants))
  const text = textAt(tokens, at, constants, language)
  if (text === null) return null
  const more: (string | null)[] = []
  for (const start of starts.slice(1)) {
    if (isSign(tokens[start], '[')) more.push(...listAt(tokens, start, constants))
    else if (tokens[start]?.kind === 'string') more.push(valueAt(tokens, start, constants))
    // Named options and objects of options.
    else if (tokens[start]?.kind === 'variable' || isBareName(tokens, start)) more.push(null)
  }
  return more.length === 0 ? { kind: 'shell', ...text } : words([text.known ? text.text : null, ...more])
}

function words(list: readonly (string | null)[]): RunCommand | null {
  return list.length === 0 || list[0] === null ? null : { kind: 'words', words: list }
}

function isBareName(tokens: readonly CodeToken[], at: number): boolean {
  return tokens[at]?.kind === 'name' && (isSign(tokens[at + 1], ')') || isSign(tokens[at + 1], ','))
}

function listAt(tokens: readonly CodeToken[], open: number, constants: Constants): (string | null)[] {
  return argumentStarts(tokens, open)
    .filter((start) => !isSign(tokens[start], ']'))
    .map((start) => valueAt(tokens, start, constants))
}

function textAt(
  tokens: readonly CodeToken[],
  at: number,
  constants: Constants,
  language: Language,
): { text: string; known: boolean } | null {
  const value = valueAt(tokens, at, constants)
  if (value !== null) return { text: value, known: true }
  const token = tokens[at]
  if (token?.kind !== 'string' || token.text === '') return null
  const insert = INSERTS[language]
  const template = token.dynamic && insert !== undefined ? token.text.replace(insert, '$_') : token.text
  // What is appended to the string is unknown.
  return { text: token.dynamic ? template : `${template}$_`, known: false }
}
