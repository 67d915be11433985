import { assertNever } from '@countersign/core'

/** The commands that a rule might match, judged by its literal words. */
export type Covered =
  | { readonly kind: 'everything' }
  /** Commands with a word that starts with one of `starts`, or in which one of `parts` occurs. */
  | { readonly kind: 'words'; readonly starts: readonly string[]; readonly parts: readonly string[] }
  /** Commands that name one of these parts of a path, or run in a folder that does. */
  | { readonly kind: 'paths'; readonly parts: readonly string[] }

/** A rule of a coding agent that asks or denies. */
export interface OwnRule {
  /** As its person wrote it. */
  readonly text: string
  readonly covers: Covered
}

/** A command, and the folders that its relative paths could start in. */
export interface Spelled {
  readonly command: string
  readonly folders: readonly string[]
}

export const EVERYTHING: Covered = { kind: 'everything' }

/** Shorter parts occur everywhere. */
const SHORTEST = 2
/** INVARIANT: L10, longer ones could be about any command. */
const LONGEST_PATTERN = 1_000
const LONGEST_COMMAND = 10_000

/** The commands with the first literal part of a word or pattern; all of them if no part is long enough. */
export function coveredByWords(patterns: readonly string[]): Covered {
  const starts: string[] = []
  const parts: string[] = []
  for (const pattern of patterns) {
    const [part] = literalParts(pattern, /[\s:]+/)
    if (part === undefined) return EVERYTHING
    const isStart = pattern.toLowerCase().startsWith(part)
    ;(isStart ? starts : parts).push(part)
  }
  return patterns.length === 0 ? EVERYTHING : { kind: 'words', starts, parts }
}

/** The commands that name one of the literal parts of these paths; all of them if a path has none. */
export function coveredByPaths(patterns: readonly string[]): Covered {
  const parts = patterns.map((pattern) => literalParts(pattern, /\/+/))
  return parts.length === 0 || parts.some(({ length }) => length === 0)
    ? EVERYTHING
    : { kind: 'paths', parts: [...new Set(parts.flat())] }
}

/** What must occur in every text that a pattern matches: nothing from its wildcards, choices and escapes. */
function literalParts(pattern: string, between: RegExp): readonly string[] {
  if (pattern.length > LONGEST_PATTERN) return []
  const literal = pattern.replaceAll(/\[[^\]]*\]|\{[^}]*\}|[^\s:/]*[|()][^\s:/]*/g, '*')
  return literal
    .split(/[*?[\]{}\\$^+!"'`]+/)
    .flatMap((part) => part.split(between))
    .filter((part) => part.length >= SHORTEST)
    .map((part) => part.toLowerCase())
}

/** Whether a rule could match a command. False only if its literal words certainly don't occur in it. */
export function mightMatch(covered: Covered, { command, folders }: Spelled): boolean {
  if (!isLiteral(command)) return true
  const text = command.toLowerCase()
  switch (covered.kind) {
    case 'everything':
      return true
    case 'words':
      return (
        covered.starts.some((start) => startsWord(text, start)) || covered.parts.some((part) => text.includes(part))
      )
    case 'paths': {
      const around = folders.join('\n').toLowerCase()
      return covered.parts.some((part) => text.includes(part) || around.includes(part))
    }
    default:
      return assertNever(covered)
  }
}

function startsWord(text: string, start: string): boolean {
  for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1))
    if (at === 0 || !/\w/.test(text.charAt(at - 1))) return true
  return false
}

/** Escapes, variables, substitutions, globs and braces. */
const EXPANDED = /[\\$`*?[\]{}]/
/** `~user`, `~+`. */
const OTHER_HOME = /(?:^|[\s=:])~(?![/\s]|$)/
const QUOTED_WORD = /(?<=^|[\s;|&()<>=])(?:'[^'"]*'|"[^'"]*")(?=$|[\s;|&()<>])/g

/** Whether every word of a command is spelled as the shell reads it: nothing is expanded, no word is put together from quotes. */
function isLiteral(command: string): boolean {
  if (command.length > LONGEST_COMMAND || EXPANDED.test(command) || OTHER_HOME.test(command)) return false
  return !/['"]/.test(command.replaceAll(QUOTED_WORD, ' '))
}
