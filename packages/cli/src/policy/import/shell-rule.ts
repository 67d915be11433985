import type { Conditions, Effect, Translated } from './carried.ts'

/** Every command of a shell. */
export const ANY_COMMAND: Conditions = { kind: 'execute' }

const PLAIN_PROGRAM = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/
const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./-]*$/

/**
 * A rule for commands that start with these words. An option, a pattern or a quoted word can't be part of our rule: the
 * words before it are a wider one.
 */
export function commandPrefix(words: readonly string[]): Translated {
  const [program, ...rest] = words
  if (program === undefined || program === '*') return { when: ANY_COMMAND }
  if (!PLAIN_PROGRAM.test(program)) return { why: `\`${program}\` is not the plain name of a program` }
  const plain = rest.findIndex((word) => !PLAIN_WORD.test(word))
  const verb = (plain === -1 ? rest : rest.slice(0, plain)).join(' ')
  const when = { command: { program, ...(verb === '' ? {} : { verb }) } }
  if (plain === -1) return { when }
  const shown = [program, ...rest.slice(0, plain)].join(' ')
  return { when, wider: true, note: `covers every \`${shown}\`, because rules here can’t name \`${rest[plain]}\`` }
}

/** A rule for one exact command line. Where it tightens, it also covers more arguments, which would evade it. */
export function exactCommand(line: string, effect: Effect): Translated {
  return effect === 'allow' ? { when: { kind: 'execute', args: { command: line } } } : commandPrefix(wordsOf(line))
}

/** The words of a command line without quotes. */
export function wordsOf(line: string): readonly string[] {
  return line.split(/\s+/).filter((word) => word !== '')
}
