import type { CommandPart } from '../../../command/model/decomposition.ts'
import { SHELLS } from '../../../command/nested/shells.ts'
import { typedOptions } from '../../arguments/typed-options.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'

/** Wrappers: the command they run is rated as its own part. */
export const assessWrapper: Assess = ({ part, program, row, hasInner }) => {
  if (typedOptions(part, row).some(({ type }) => type === 'settings'))
    return finding('medium', 'system.process', `${program} changes a running process`)
  if (program === 'script' && !hasInner)
    return finding('medium', 'session.record', 'script starts a shell and records it in a file')
  return hasInner
    ? finding('none', 'wrapper.inner', `${program} runs the command shown`)
    : finding('none', 'wrapper.bare', `${program} runs a command that is not shown`)
}

/** `sudo` and similar: the command they run is rated as its own part. */
export const assessPrivilege: Assess = ({ part, program, hasInner }) => {
  const last = part.args.at(-1)?.value ?? ''
  // `sudo bash`: a shell without a command is a session.
  if (SHELLS.has(last.slice(last.lastIndexOf('/') + 1)) && part.stdin.kind === 'none')
    return finding('high', 'wrapper.privilege', `${program} opens a session as another user`, 'unknown')
  if (hasInner) return finding('low', 'wrapper.privilege', `${program} runs the command as another user`)
  const session = !/^(?:sudo|doas|pkexec)$/.test(program) || anyFlag(part, '-i', '-s', '--login', '--shell')
  if (session) return finding('high', 'wrapper.privilege', `${program} opens a session as another user`, 'unknown')
  if (anyFlag(part, '-l', '-k', '-K', '-V', '--list', '--version'))
    return finding('none', 'wrapper.privilege', `${program} only lists privileges`)
  if (anyFlag(part, '-v', '--validate')) return finding('low', 'wrapper.privilege', `${program} only lists privileges`)
  if (anyFlag(part, '-e', '--edit'))
    return finding('high', 'wrapper.privilege', `${program} edits a file as another user`, 'partly')
  return finding('high', 'wrapper.privilege', `${program} opens a session as another user`, 'unknown')
}

/** Names of variables that hold credentials. */
const SECRET_NAME = /pass|pwd|secret|token|key|credential|auth|private|dsn|database_url|conn/i

/** `env` and `printenv`: the whole environment often contains secrets; one variable rarely does. */
export const assessEnv: Assess = ({ part, program, hasInner }) => {
  if (hasInner) return finding('none', 'wrapper.inner', 'env runs the command shown')
  const named = program === 'printenv' ? part.args.filter(({ value }) => value === null || !value.startsWith('-')) : []
  if (named.length > 0 && named.every(({ value }) => value !== null && !SECRET_NAME.test(value)))
    return finding('none', 'system.environment', 'printenv shows a variable')
  return ENVIRONMENT
}

const ENVIRONMENT = finding(
  'medium',
  'system.environment',
  'prints the environment, which often contains secrets',
  'no',
)

/** Whether a builtin prints variables: all of them without a name, or one that may hold a secret. */
function printsVariables({ args, assignments }: CommandPart): boolean {
  const named = args.filter(({ value }) => value === null || !/^[-+]/.test(value))
  if (assignments.length > 0 || args.some(({ value }) => /^-[a-zA-Z]*[fF]/.test(value ?? ''))) return false
  const isAsked = args.some(({ value }) => /^-[a-zA-Z]*p/.test(value ?? ''))
  return named.length === 0 || (isAsked && named.some(({ value }) => value === null || SECRET_NAME.test(value)))
}

/** `declare`, `typeset`, `readonly` and `local`: without a name, or with `-p`, they print variables with their values. */
export const assessDeclare: Assess = ({ part, program }) =>
  printsVariables(part) ? ENVIRONMENT : finding('none', 'plain.read', `${program} changes only the shell itself`)

/** `unset` and `set`: harmless, unless they turn off the shell's history or print every variable. */
export const assessUnset: Assess = ({ part, program }) => {
  if (
    part.args.some(({ value }) => value !== null && /^(?:HISTFILE|HISTSIZE|HISTCONTROL|PROMPT_COMMAND)$/.test(value)) ||
    (part.args[0]?.value === '+o' && part.args[1]?.value === 'history')
  )
    return finding('high', 'system.history', 'keeps later commands out of the shell’s history', 'no')
  return program === 'set' && part.args.length === 0
    ? ENVIRONMENT
    : finding('none', 'plain.read', 'changes only the shell itself')
}

/** Tools that set variables for a command: their other verbs. */
export const assessEnvironmentTool: Assess = (facts) =>
  facts.hasInner ? finding('none', 'wrapper.inner', `${facts.program} runs the command shown`) : rateVerbs(facts)

/** `eval`. */
export const assessEval: Assess = ({ part, hasInner }) =>
  hasInner || part.args.length === 0
    ? finding('none', 'shell.inner', 'runs the commands shown')
    : finding('high', 'shell.eval', 'runs unknown text', 'unknown')

/** `source` and `.`. */
export const assessSource: Assess = ({ part, paths }) => {
  const file = part.args[0]
  if (file === undefined) return finding('none', 'shell.source', 'reads nothing')
  if (file.value === null || file.glob) return finding('high', 'shell.source', 'runs an unknown file', 'unknown')
  const place = paths.find((path) => path.use === 'read')?.place ?? null
  if (place === 'temp' || place === 'elsewhere' || place === 'device' || place === null)
    return finding('high', 'shell.source', 'runs a file from outside the workspace', 'unknown')
  return finding('low', 'shell.source', 'runs a file in this shell')
}

/** `history`. */
export const assessHistory: Assess = ({ part }) =>
  anyFlag(part, '-c', '-d', '-w', '-a', '-r')
    ? finding('high', 'system.history', 'changes the shell’s history', 'no', { reach: 'all' })
    : finding('medium', 'system.history', 'shows the shell’s history', 'no')

/** `$(grep -v '^#' .env | xargs)`: a common way to load a file of variables; each step is rated separately. */
const ENV_FILE =
  /^["']?\$\(\s{0,4}(?:e?grep|cat|sed)\s[^;&`$()|]{0,200}\.env[\w.-]{0,40}["']?\s{0,4}(?:\|\s{0,4}(?:xargs|sed|e?grep|cut|tr)\b[^;&`$()|]{0,80}){0,4}\)["']?$/

/** `export`. */
export const assessExport: Assess = ({ part }) => {
  if (printsVariables(part)) return ENVIRONMENT
  const words = part.assignments.length === 0 ? part.args.filter((word) => word.value === null) : []
  if (words.length > 0 && words.every(({ text }) => ENV_FILE.test(text)))
    return finding('medium', 'environment.file', 'sets variables from a file', 'yes')
  return words.length > 0
    ? finding('high', 'environment.unknown', 'sets unknown variables', 'unknown')
    : finding('low', 'environment.set', 'sets variables')
}
