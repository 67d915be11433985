import { shellNames } from '../../knowledge/shell.ts'
import type { CommandPart, CommandWord } from '../model/decomposition.ts'
import { lowerCase } from './program-names.ts'

const DASH = 45
const EQUALS = 61

/** Programs whose letters are never bundled. */
const SINGLE_DASH = shellNames('single_dash_options')

/**
 * Whether a command has a flag such as `-f`, `--force` or `-delete`: bundled (`-rf`), with a value (`--flag=x`), or
 * abbreviated as GNU programs allow. Words after `--` are not flags. Unknown when a word that could be a flag is unknown,
 * or an abbreviation is too short.
 */
export function hasFlag(part: CommandPart, flag: string): 'yes' | 'no' | 'unknown' {
  const bundles = flag.length === 2 && !SINGLE_DASH.has(lowerCase(part.program ?? ''))
  let unknown = part.program === null
  for (const word of part.args) {
    if (word.value === '--') break
    const match = matchFlag(word, flag, bundles)
    if (match === 'yes') return 'yes'
    if (match === 'unknown') unknown = true
  }
  return unknown ? 'unknown' : 'no'
}

function matchFlag(word: CommandWord, flag: string, bundles: boolean): 'yes' | 'no' | 'unknown' {
  const { value } = word
  if (value === null) return couldBeFlag(word.text) ? 'unknown' : 'no'
  if (value.charCodeAt(0) !== DASH || value.length === 1) return 'no'
  if (value.startsWith(flag) && (value.length === flag.length || value.charCodeAt(flag.length) === EQUALS)) return 'yes'
  if (flag.startsWith('--')) {
    const equals = value.indexOf('=')
    const name = equals === -1 ? value : value.slice(0, equals)
    if (!name.startsWith('--') || name.length < 3 || !flag.startsWith(name)) return 'no'
    return name.length >= 6 ? 'yes' : 'unknown'
  }
  return bundles && bundle(value, flag.charCodeAt(1)) ? 'yes' : 'no'
}

/** Whether a letter is among those after one dash. */
function bundle(value: string, letter: number): boolean {
  for (let at = 1; at < value.length; at++) {
    const code = value.charCodeAt(at)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)
    if (!isLetter) return false
    if (code === letter) return true
  }
  return false
}

/** An unknown word whose first character is literal and not a dash cannot be a flag. */
function couldBeFlag(text: string): boolean {
  const first = /^["']*(.?)/s.exec(text)?.[1] ?? ''
  return (
    first === '' || first === '-' || first === '$' || first === '`' || first === '{' || first === '…' || first === '<'
  )
}
