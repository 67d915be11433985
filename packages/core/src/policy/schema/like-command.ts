import { decompose } from '../../command/decompose.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { grantableOptions } from '../../command/programs/global-options.ts'
import { wholeVerb } from '../../command/programs/subcommand.ts'

/** The command of a `like:`, with its whole verb. */
export interface LikeCommand {
  readonly part: CommandPart
  readonly program: string
  readonly verb: string
}

/** Reads the command of a `like:`; null unless it is one plain command of a program whose verbs are known. */
export function readLike(text: string): LikeCommand | null {
  const { parts, problems } = decompose(text)
  const [part] = parts
  if (part === undefined || parts.length > 1 || problems.length > 0 || part.program === null) return null
  const verb = wholeVerb(part)
  if (verb === null || grantableOptions(part.program) === undefined) return null
  const isWhole = part.args.every(({ value, glob }) => value !== null && !glob)
  return isWhole && isAlone(part) ? { part, program: part.program, verb } : null
}

/** Whether a command is nothing but its words: without variables before it, input and redirections. */
export function isAlone({ assignments, via, stdin, redirections }: CommandPart): boolean {
  if (assignments.length > 0 || via.length > 0 || stdin.kind !== 'none') return false
  return redirections.every(({ target }) => target === '/dev/null')
}
