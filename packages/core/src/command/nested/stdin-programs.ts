import type { Input } from '../expansion/standard-input.ts'
import type { ShellWord } from '../expansion/words.ts'
import { type Inner, joinedCode } from './nested-command.ts'

/** Programs that without a command start a shell, which reads what they are fed. */
const SESSIONS: ReadonlySet<string> = new Set(['ssh', 'su', 'sudo', 'doas', 'runuser', 'pkexec', 'at', 'batch'])
const NONE: readonly Inner[] = []
const CRON_LINE = /^\s*(?:@\w{1,16}|(?:[^\s#]\S*\s+){5})\s*(.+)$/

/** Code that standard input carries. */
export function fedCode(label: string, input: Input): readonly Inner[] {
  return input.kind === 'text' ? [{ kind: 'code', label, text: input.text, known: input.known }] : []
}

/** What programs run that take commands from their input in a form of their own: schedules and recipes. */
export function fedCommands(name: string, words: readonly ShellWord[], input: Input): readonly Inner[] {
  if (name === 'screen') return screenCommands(words)
  if (input.kind !== 'text') return NONE
  if (SESSIONS.has(name)) return fedCode(name, input)
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
