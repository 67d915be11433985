import { shellNames } from '../../knowledge/shell.ts'
import type { Input } from '../expansion/standard-input.ts'
import type { ShellWord } from '../expansion/words.ts'
import { type Inner, joinedCode } from './nested-command.ts'

const SESSIONS = shellNames('sessions')
const NONE: readonly Inner[] = []
const CRON_LINE = /^\s*(?:@\w{1,16}|(?:[^\s#]\S*\s+){5})\s*(.+)$/

/** Code on standard input. */
export function stdinCode(label: string, input: Input): readonly Inner[] {
  return input.kind === 'text' ? [{ kind: 'code', label, text: input.text, known: input.known }] : []
}

/** Commands on the standard input of a program: sessions, schedules and recipes. */
export function stdinCommands(name: string, words: readonly ShellWord[], input: Input): readonly Inner[] {
  if (name === 'screen') return screenCommands(words)
  if (input.kind !== 'text') return NONE
  if (SESSIONS.has(name)) return stdinCode(name, input)
  if (name === 'crontab') return lines(name, input, CRON_LINE)
  const recipes = name === 'make' || name === 'gmake' || name === 'ninja'
  return recipes && words.some(({ value }, at) => value === '-' && words[at - 1]?.value === '-f')
    ? lines(name, input, /^(?:\t|[^\s:]{1,64}:[^;\n]{0,128};)[@+-]{0,3}(.+)$/)
    : []
}

function lines(label: string, input: Input & { kind: 'text' }, shape: RegExp): readonly Inner[] {
  const found = input.text
    .split('\n')
    .slice(0, 64)
    .flatMap((line) => shape.exec(line.slice(0, 4096))?.[1] ?? [])
  return found.length === 0 ? [] : [{ kind: 'code', label, text: found.join('\n'), known: input.known }]
}

/** `screen -dmS name command …`, and `screen -X stuff 'keys'`. */
function screenCommands(words: readonly ShellWord[]): readonly Inner[] {
  const typed = words.findIndex(({ value }) => value === 'stuff')
  if (typed > 0) return [joinedCode('screen', words.slice(typed + 1))]
  let at = 1
  for (; at < words.length; at++) {
    const value = words[at]?.value ?? ''
    if (!value.startsWith('-')) break
    if (/[ceEhpsStT]$/.test(value) && !/^-[rRx]$/.test(value)) at++
  }
  return at < words.length ? [{ kind: 'words', label: 'screen', words: words.slice(at) }] : []
}
