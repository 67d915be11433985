import { existsSync } from 'node:fs'
import { safeText } from '@countersign/core'
import type { Home } from '@countersign/node'
import { type Io, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'

/** Further names are only counted: a policy file has a size limit. */
const MOST_NAMES = 500
/** Width of the rule without its indent. */
const COLUMNS = 92

/**
 * The rule that lets reads run, judged by the tools' names. Reading a secret is rated above low, and still asks.
 * SECURITY: A1 it names each server: a glob would also cover every server added later.
 */
export function readsRule(labels: readonly string[]): readonly string[] {
  const more = labels.length - MOST_NAMES
  return [
    ...listLines('- server: ', labels.slice(0, MOST_NAMES)),
    ...(more > 0 ? [`  # and ${more} more; add rules for them`] : []),
    '  kind: read',
    '  supervision: automatic',
    '  up_to: low',
  ]
}

/** `key: ["a", "b"]`, broken between names where a line is too long. */
function listLines(key: string, names: readonly string[]): readonly string[] {
  const lines: string[] = []
  let line = `${key}[`
  for (const [at, name] of names.entries()) {
    const word = `${JSON.stringify(name)}${at === names.length - 1 ? ']' : ','}`
    const isFirst = line.endsWith('[') || line.trim() === ''
    if (!isFirst && line.length + 1 + word.length > COLUMNS) {
      lines.push(line)
      line = `    ${word}`
    } else line += isFirst ? word : ` ${word}`
  }
  return [...lines, line]
}

/** Prints the rule that most people want next. Only the person adds it: Countersign never lets calls run by itself. */
export function tellRule(why: string, rule: readonly string[], home: Home, io: Io): void {
  const isNew = !existsSync(home.policy)
  sayText(io, safeText(`${why}, add this ${isNew ? 'to' : 'under `rules:` in'} ${home.policy}:`))
  say(io)
  for (const line of isNew ? ['version: 1', 'rules:'] : []) say(io, `  ${line}`)
  for (const line of rule) say(io, `    ${safeText(line)}`)
}
