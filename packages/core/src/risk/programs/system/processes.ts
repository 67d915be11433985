import type { CommandPart } from '../../../command/model/decomposition.ts'
import { rowList, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'

/** Processes that others depend on. */
const VITAL =
  /^(?:postgres|postmaster|mysqld|mariadbd|mysql|mongod|memcached|clickhouse-server|cassandra|influxd|kafka|redis-server|valkey-server|sshd|systemd|init|launchd|dockerd|containerd|kubelet|etcd|nginx|httpd|apache2|windowserver|loginwindow|dbus-daemon|networkmanager|gnome-shell|xorg|kernel_task|elasticsearch|rabbitmq-server)$/i

/** `kill`, `pkill`, `killall`: by how many processes they end. */
export const assessKill: Assess = ({ part, program }) => {
  const signal = part.args.some(
    ({ value }, at) => value === '-0' || (value === '0' && /^(?:-s|-n|--signal)$/.test(part.args[at - 1]?.value ?? '')),
  )
  if (signal || part.args.some(({ value }) => /^(?:-l|-L|--list|--table|-V|--version)$/.test(value ?? '')))
    return finding('none', 'system.kill', `${program} only queries processes`)
  if (part.args.length === 0) return finding('none', 'system.kill', `${program} does not end a process`)
  if (part.args.some(({ value }, at) => isDebugSignal(value ?? '', part.args[at - 1]?.value ?? '')))
    return finding('high', 'session.debug-port', `${program} may open the debug port of a process`, 'unknown')
  const ALL = { reach: 'all' as const }
  if (program === 'kill') {
    const words = part.args.filter(
      ({ value }, at) => value !== '--' && (at > 0 || value === null || !value.startsWith('-')),
    )
    // `-s KILL`, `-9`: the signal; then `-1` is every process, 1 the first, 0 the own group.
    const all = words.some(({ value }, at) => (value === '-1' && (at > 0 || part.args.length > 1)) || value === '1')
    if (all) return finding('critical', 'system.kill-all', 'kill ends every process', 'no', ALL)
    return finding(
      'medium',
      'system.kill',
      'kill ends processes',
      'no',
      words.length === 1 ? { reach: 'one' } : { reach: 'several' },
    )
  }
  if (program === 'killall5') return finding('critical', 'system.kill-all', `${program} ends every process`, 'no', ALL)
  // `-HUP` is a signal, not `-U`.
  if (part.args.some(({ value }) => /^(?:-[uU](?:[a-z0-9_-]+)?|--(?:euid|uid|user)(?:=.*)?)$/.test(value ?? '')))
    return finding('high', 'system.kill-user', `${program} ends all processes of a user`, 'no', { reach: 'many' })
  const names = plainWords(part, valuedOptionsOf('pkill'))
  const wide = names.find(({ value }) => value !== null && /^(?:\.|\.\*|\.\+|\^|\$|[a-z]|)$/i.test(value))
  if (wide !== undefined)
    return finding('critical', 'system.kill-all', `${program} ends nearly every process`, 'no', ALL)
  const tells = part.args.some(({ value }) => /^-{0,2}(?:SIG)?(?:HUP|USR2|WINCH)$/.test(value ?? ''))
  if (tells) return finding('medium', 'system.signal', `${program} tells processes to reload their settings`, 'yes')
  const vital = names.find(({ value }) => value !== null && VITAL.test(value))?.value
  if (typeof vital === 'string')
    return finding('high', 'system.kill-vital', `${program} ends ${vital}, which others depend on`, 'no', {
      reach: 'several',
      target: vital,
    })
  return finding('medium', 'system.kill', `${program} ends processes by name`, 'no', { reach: 'several' })
}

/** Node and others open a debugger for USR1. */
function isDebugSignal(word: string, before: string): boolean {
  const name = /^(?:-s|-n|--signal)$/.test(before) ? word : /^(?:-{1,2}|--signal=)(.+)$/.exec(word)?.[1]
  return name !== undefined && /^(?:SIG)?USR1$|^10$/i.test(name)
}

/** BSD options of `ps` that take the next word: `ps axo pid,comm`. */
const PS_VALUE = /^(?:-?[a-zA-Z]*[oOkpqtUuNCGg]|--(?:format|sort|pid|ppid|user|User|group|Group|tty|sid|quick-pid))$/

/** A number that the shell keeps itself. */
const SHELL_NUMBER = /^"?\$(?:\$|!|PPID|BASHPID)"?$/

/** `ps`: with `e` among options without a dash, or `-E`, it shows the environment of every process. */
export const assessPs: Assess = ({ part }) => {
  const isShown = part.args.some(({ value, text }, at) => {
    if (value === null) return !SHELL_NUMBER.test(text)
    const before = part.args[at - 1]?.value ?? ''
    if (/(?:^|[=,])environ?\b/.test(value) || /^-[a-zA-Z]*E/.test(value)) return true
    const isValue = /^(?:-|[a-zA-Z]*[oOk]$)/.test(before) && PS_VALUE.test(before)
    return !isValue && /^[a-zA-Z]*e/.test(value)
  })
  return isShown
    ? finding(
        'medium',
        'system.environment',
        'ps shows the environment of processes, which often contains secrets',
        'no',
      )
    : finding('none', 'plain.read', 'ps only lists processes')
}

const ATTACHES = /^(?:process\s+)?attach(?:\s|$)/
const ATTACH_OPTION = /^(?:-[A-Za-z]*p\d*|--pid(?:=.*)?|--attach(?:-pid|-name)?(?:=.*)?)$/

/** Debuggers, tracers and profilers: on a program they start, or on one that runs already. */
export const assessDebugger: Assess = ({ part, program }) => {
  const options = ownOptions(part, program)
  // `gdb program 1234`: the second word is a process or a core file.
  const attaches = options.some(
    (word) => ATTACH_OPTION.test(word) || ATTACHES.test(word) || (program === 'gdb' && /^\d+$/.test(word)),
  )
  return attaches
    ? finding('high', 'session.attach', `${program} reads and controls a running process`, 'unknown')
    : finding('low', 'plain.small', `${program} has a small local effect`)
}

/** The words before the program that a debugger starts. */
function ownOptions({ args }: CommandPart, program: string): readonly string[] {
  const words = args.map(({ value }) => value ?? '')
  const end = words.findIndex((word) => word === '--' || word === '--args')
  const before = end === -1 ? words : words.slice(0, end)
  if (program === 'gdb' || program === 'lldb' || program.endsWith('spy')) return before
  // `perf report -p` is a pattern.
  if (program === 'perf' && /^(?:report|annotate|script|list|diff)$/.test(before[0] ?? '')) return []
  const from = program === 'perf' || program === 'rr' ? 1 : 0
  const valued = valuedOptionsOf(program)
  let at = from
  while (at < before.length && before[at]?.startsWith('-')) at += valued.has(before[at] ?? '') ? 2 : 1
  return before.slice(from, at)
}

/** `#(command)`, and `#{E:…}`, `#{T:…}`, which expand what an option holds. */
const RUNNING_FORMAT = /#\(|#\{[^}]*[ETSWPL][^:}]*:/

export const assessTmux: Assess = (facts) => {
  const { part, hasInner, verb } = facts
  const found = rateVerbs(facts)
  if (part.args.some(({ value }) => value === 'default-shell' || value === 'default-command'))
    return finding('high', 'system.later', 'tmux changes what every new terminal runs', 'unknown')
  if (part.args.some(({ value }) => value !== null && RUNNING_FORMAT.test(value)))
    return finding('high', 'system.later', 'tmux runs the command in a format', 'unknown')
  if (part.args.some(({ value }) => value === ';' || value?.endsWith(';') === true))
    return finding('high', 'system.later', 'tmux runs several commands, which are not read', 'unknown')
  if (found.level === 'none' && part.args.some(({ value }) => value === null || /^-[\w]*[fFSLO]/.test(value)))
    return finding('medium', 'system.session', 'tmux uses the server, file or format that it is given', 'unknown')
  if (verb.kind !== 'verb' || !rowList('tmux', 'running_verbs').has(verb.verb) || hasInner) return found
  const words = verb.rest.filter(
    ({ value }, at) => !(value?.startsWith('-') === true) && !/^-\w*[tsncexyFb]$/.test(verb.rest[at - 1]?.value ?? ''),
  )
  return words.length > 0 && part.args.length > 0
    ? finding('high', 'system.later', 'tmux runs commands that could not be read', 'unknown')
    : found
}

/** `screen`, `zellij`, `dtach`, `abduco`. */
export const assessScreen: Assess = ({ part, program, hasInner }) => {
  const words = part.args.map(({ value }) => value ?? '')
  if (words.includes('-Q') && !words.includes('-X'))
    return finding('medium', 'system.session', `${program} asks a running session`, 'unknown')
  if (!words.includes('-X') && /^(?:-ls|-list|-v|list-sessions|ls|setup)$/.test(words[0] ?? ''))
    return finding('none', 'system.session', `${program} only lists sessions`)
  if (program === 'zellij' && /^(?:action|ac|pipe|run)$/.test(words.find((word) => !word.startsWith('-')) ?? ''))
    return finding('high', 'system.later', 'zellij types or runs commands in a session', 'unknown')
  if (words.includes('-X'))
    return words.some((word) => /^(?:quit|kill)$/.test(word))
      ? finding('medium', 'system.session', `${program} ends a session`, 'no')
      : finding('high', 'system.later', `${program} sends keys to a session`, 'unknown')
  if (
    hasInner ||
    words.length === 0 ||
    (words.every((word) => word.startsWith('-') || /^[\w.-]+$/.test(word)) && !words.some((word) => /^-d?m/.test(word)))
  )
    return finding('low', 'system.session', `${program} opens or joins a session`)
  return finding('high', 'system.later', `${program} runs commands in the background`, 'unknown')
}

/** `fuser`: shows what uses a file or a port; with `-k` ends it. */
export const assessFuser: Assess = ({ part }) =>
  anyFlag(part, '-k', '--kill')
    ? finding('medium', 'system.kill', 'fuser ends the processes that use a file or a port', 'no', { reach: 'several' })
    : finding('none', 'system.read', 'fuser only shows what uses a file or a port')
