import { coverSecrets } from '@countersign/core'
import type { Conditions, Effect, Translated } from './carried.ts'

/** Every command of a shell. */
export const ANY_COMMAND: Conditions = { kind: 'execute' }

const PLAIN_PROGRAM = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/
/** A variable that is set for the command. */
const SETTING = /^[A-Za-z_][A-Za-z0-9_]*=/
const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./-]*$/

/**
 * A rule for commands that start with these words. An option, a pattern or a quoted word can't be part of our rule: the
 * words before it are a wider one.
 */
export function commandPrefix(words: readonly string[]): Translated {
  const [first, ...rest] =
    words[0] !== undefined && SETTING.test(words[0]) ? words.filter((word) => !SETTING.test(word)) : words
  if (first === undefined)
    return { when: ANY_COMMAND, ...(words.length > 0 ? { wider: true, note: 'covers every command' } : {}) }
  const program = first.slice(first.lastIndexOf('/') + 1)
  if (!PLAIN_PROGRAM.test(program))
    return {
      when: ANY_COMMAND,
      wider: true,
      note: `covers every command, because \`${first}\` is not the plain name of a program`,
    }
  const plain = rest.findIndex((word) => !PLAIN_WORD.test(word))
  const verb = (plain === -1 ? rest : rest.slice(0, plain)).join(' ')
  const when = { command: { program, ...(verb === '' ? {} : { verb }) } }
  if (first !== words[0] || program !== first)
    return { when, wider: true, note: `covers every \`${program}\`, whatever its folder and variables` }
  if (plain === -1) return { when }
  const shown = [program, ...rest.slice(0, plain)].join(' ')
  return { when, wider: true, note: `covers every \`${shown}\`, because rules here can’t name \`${rest[plain]}\`` }
}

/** A rule for one exact command line. Where it tightens, it also covers more arguments, which would evade it. */
export function exactCommand(line: string, effect: Effect): Translated {
  // SECURITY: A32, a secret is not copied into a policy.
  if (effect === 'allow' && coverSecrets(line) !== line) return { why: 'it contains a secret' }
  return effect === 'allow' ? { when: { kind: 'execute', args: { command: line } } } : commandPrefix(wordsOf(line))
}

/** The words of a command line without quotes. */
export function wordsOf(line: string): readonly string[] {
  return line.split(/\s+/).filter((word) => word !== '')
}
