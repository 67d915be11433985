import { matchesPattern } from '../expansion/glob-pattern.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import { WELL_KNOWN } from '../programs/well-known-programs.ts'
import type { Inner } from './nested-command.ts'

/** Programs worth hiding behind a pattern. */
const HIDDEN = (
  'rm cat dd curl wget bash sh zsh nc ncat chmod chown mv cp python3 python perl ruby node git tar tee kill mkfs ' +
  'reboot shutdown sudo find ssh scp base64 env eval'
).split(' ')

/** What a name that is not certain most likely stands for: a pattern such as `/b?n/rm`, or a default value. */
export function guessedCommands(first: ShellWord, words: readonly ShellWord[]): readonly Inner[] {
  return namesOf(first).map((name) => ({
    kind: 'words',
    label: first.text.slice(0, 40),
    words: [literalWord(name), ...words.slice(1)],
  }))
}

/** One unknown letter in the name of a program of the system: what it can be is known well enough. */
export function isSystemPattern(value: string): boolean {
  return /^\/(?:usr\/(?:local\/)?)?s?bin\/[\w.-]{0,40}\?[\w.-]{0,40}$/.test(value)
}

function namesOf({ glob, value, template }: ShellWord): readonly string[] {
  if (glob && value !== null) {
    const base = value.slice(value.lastIndexOf('/') + 1)
    if (!/[*?[]/.test(base)) return [base]
    const known = isSystemPattern(value) ? [...new Set([...HIDDEN, ...WELL_KNOWN])] : HIDDEN
    return known.filter((name) => matchesPattern(name, base)).slice(0, 8)
  }
  return value === null && /^[\w./-]{1,64}$/.test(template) ? [template] : []
}
