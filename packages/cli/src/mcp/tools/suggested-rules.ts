import { existsSync } from 'node:fs'
import { safeText } from '@countersign/core'
import type { Home } from '@countersign/node'
import { type Io, say } from '../../terminal/io.ts'
import { sayText } from '../../terminal/layout.ts'

/** More names than these are counted, not spelled out: a file of policy has bounds. */
const MOST_NAMES = 500
/** Columns of the rule's own text, the indent of its place not counted. */
const COLUMNS = 92

/**
 * The rule that lets what only reads run, by what the tools are called. What reads a secret is more than low, and asks.
 * SECURITY: A1 it names the servers one by one: a glob would let the reads of every later server run, too.
 */
export function readsRule(labels: readonly string[]): readonly string[] {
  const more = labels.length - MOST_NAMES
  return [
    ...listLines('- server: ', labels.slice(0, MOST_NAMES)),
    ...(more > 0 ? [`  # and ${more} more, which can have a rule of their own`] : []),
    '  kind: read',
    '  supervision: automatic',
    '  up_to: low',
  ]
}

/** `key: ["a", "b"]`, broken between names where a line gets long. */
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

/** The rule under which the word of a trusted server lets its calls run: what it says only reads is rated none. */
export function harmlessRule(label: string): readonly string[] {
  return [`- server: ${JSON.stringify(label)}`, '  risk: { at_most: low }', '  supervision: automatic']
}

/** Tells a person the rule that they most likely want. It is theirs to write: nothing of ours lets calls run unasked. */
export function tellRule(why: string, rule: readonly string[], home: Home, io: Io): void {
  const isNew = !existsSync(home.policy)
  sayText(io, safeText(`${why}, ${isNew ? 'write' : 'add'} this ${isNew ? 'to' : 'under `rules:` in'} ${home.policy}:`))
  say(io)
  for (const line of isNew ? ['version: 1', 'rules:'] : []) say(io, `  ${line}`)
  for (const line of rule) say(io, `    ${safeText(line)}`)
}
