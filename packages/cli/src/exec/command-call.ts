import { type Call, CountersignError, type JsonObject, safeText, type Targets } from '@countersign/core'
import type { Command } from '@countersign/node'

/** Exit code for a missing program, as in a shell. */
export const NOT_FOUND = 127

/** A command line as a call: a single word is a shell command line, several words run directly. */
export function commandCall(words: readonly string[]): Call {
  const [first] = words
  if (first === undefined || first.trim() === '')
    throw new CountersignError('CS_USAGE', 'no command given; write it after `--`')
  return { tool: 'exec', source: 'builtin', args: { command: words.length === 1 ? first : [...words] } }
}

/** The call with its program resolved, once. */
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
  // SECURITY: A7 the resolved path is an argument: it is shown, covered by the digest, and the one that runs.
  return { ...call, args: { command: [...words], program } }
}

/** The command in the approved arguments. */
export function commandOf(args: JsonObject): Command {
  const { command, program } = args
  if (typeof command === 'string') return { command }
  if (Array.isArray(command) && typeof program === 'string') {
    const [first, ...rest] = (command as readonly unknown[]).filter((word) => typeof word === 'string')
    if (first !== undefined) return { argv: [first, ...rest], programPath: program }
  }
  throw new CountersignError('CS_INTERNAL', 'the approved arguments are not a command; please report this')
}
