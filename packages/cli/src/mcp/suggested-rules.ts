import { existsSync } from 'node:fs'
import { safeText } from '@countersign/core'
import type { Home } from '@countersign/node'
import { type Io, say } from '../io.ts'
import { sayText } from '../layout.ts'

/** More names than these are not spelled out. */
const MOST_NAMES = 12

/** The rule that lets what only reads run, by what the tools are called. What reads a secret is more than low, and asks. */
export function readsRule(labels: readonly string[]): readonly string[] {
  const names = labels.length > MOST_NAMES ? '"*"' : `[${labels.map((label) => JSON.stringify(label)).join(', ')}]`
  return [`- server: ${names}`, '  kind: read', '  supervision: automatic', '  up_to: low']
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
