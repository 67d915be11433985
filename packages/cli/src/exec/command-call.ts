import { type Call, CountersignError, type JsonObject, safeText, type Targets } from '@countersign/core'
import type { Command } from '@countersign/node'

/** Exit code of a program that is not there, as shells have it. */
export const NOT_FOUND = 127

/** A command line as a call: one word is a line for the shell, several are exact words. */
export function commandCall(words: readonly string[]): Call {
  const [first] = words
  if (first === undefined || first.trim() === '')
    throw new CountersignError('CS_USAGE', 'no command given; write it after `--`')
  return { tool: 'exec', source: 'builtin', args: { command: words.length === 1 ? first : [...words] } }
}

/** The same, ready to run: the program of exact words is looked up now, once. */
export async function execCall(
  words: readonly string[],
  cwd: string,
  targets: Pick<Targets, 'program'>,
): Promise<Call> {
  const call = { ...commandCall(words), cwd }
  const [first = ''] = words
  if (words.length === 1) return call
  const program = await targets.program(first, cwd)
  if (program === undefined)
    throw new CountersignError(
      'CS_TARGET',
      `program \`${safeText(first)}\` not found; check its name, or pass a shell command line as one word`,
    )
  // SECURITY: A7 the path is an argument: shown, bound by the digest, and the one that runs.
  return { ...call, args: { command: [...words], program } }
}

/** The command in frozen arguments: what was approved, not what was typed. */
export function commandOf(args: JsonObject): Command {
  const { command, program } = args
  if (typeof command === 'string') return { command }
  if (Array.isArray(command) && typeof program === 'string') {
    const [first, ...rest] = (command as readonly unknown[]).filter((word) => typeof word === 'string')
    if (first !== undefined) return { argv: [first, ...rest], programPath: program }
  }
  throw new CountersignError('CS_INTERNAL', 'the approved arguments are not a command; please report this')
}
