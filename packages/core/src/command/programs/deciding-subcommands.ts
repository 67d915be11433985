import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import type { CommandPart } from '../model/decomposition.ts'
import { matchesPattern } from '../model/glob-pattern.ts'
import { findVerb } from './subcommand.ts'

/** Whether a subcommand of `countersign`, such as `grants revoke`, decides for a person: agents never run it. */
export function isDecidingSubcommand(path: string): boolean {
  return PROGRAMS.decidingSubcommands.has(path)
}

/** Whether a call of the countersign command may decide. Where its verb is unknown, any of its words counts. */
export function isDeciding(part: CommandPart): boolean {
  if (part.args.some(({ value, glob }) => glob && value !== null && mayBeDeciding(value))) return true
  const found = findVerb(part)
  if (found.kind === 'none') return false
  if (found.kind === 'unknown') return part.args.some(({ value }) => value !== null && isDecidingWord(value))
  if (isDecidingSubcommand(found.verb)) return true
  return found.rest.some(({ value }) => value !== null && isDecidingSubcommand(`${found.verb} ${value}`))
}

/** Whether a pattern such as `appr*` may expand to the word of a deciding subcommand. */
function mayBeDeciding(pattern: string): boolean {
  if (!/[a-z]/.test(pattern)) return false
  for (const path of PROGRAMS.decidingSubcommands)
    if (path.split(' ').some((word) => matchesPattern(word, pattern))) return true
  return false
}

/** Whether a word is one of a deciding subcommand's. */
export function isDecidingWord(word: string): boolean {
  for (const path of PROGRAMS.decidingSubcommands)
    if (path === word || path.endsWith(` ${word}`) || path.startsWith(`${word} `)) return word !== 'grants'
  return false
}
