import { shellKnowledge } from '../../knowledge/shell.ts'
import { literalWord, type ShellWord } from '../expansion/words.ts'
import { matchesPattern } from '../model/glob-pattern.ts'
import { baseName } from '../programs/program-names.ts'
import type { Inner } from './nested-command.ts'

/** The programs that an uncertain name may be: a pattern such as `/b?n/rm`, or a default value. */
export function guessedCommands(first: ShellWord, words: readonly ShellWord[]): readonly Inner[] {
  return namesOf(first).map((name) => ({
    kind: 'words',
    label: first.text.slice(0, 40),
    words: [literalWord(name), ...words.slice(1)],
  }))
}

/** One unknown letter in the name of a system program: few programs match. */
export function isSystemPattern(value: string): boolean {
  return /^\/(?:usr\/(?:local\/)?)?s?bin\/[\w.-]{0,40}\?[\w.-]{0,40}$/.test(value)
}

function namesOf({ glob, value, template }: ShellWord): readonly string[] {
  if (glob && value !== null) {
    const base = baseName(value)
    if (!/[*?[]/.test(base)) return [base]
    const { often_hidden, well_known } = shellKnowledge().names
    const known = isSystemPattern(value) ? [...new Set([...often_hidden, ...well_known])] : often_hidden
    return known.filter((name) => matchesPattern(name, base)).slice(0, 8)
  }
  return value === null && /^[\w./-]{1,64}$/.test(template) ? [template] : []
}
