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
  if (part.args.length === 0) return finding('none', 'system.kill', `${program} has nothing to end`)
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
  const tells = part.args.some(({ value }) => /^-{0,2}(?:SIG)?(?:HUP|USR1|USR2|WINCH)$/.test(value ?? ''))
  if (tells) return finding('medium', 'system.signal', `${program} tells processes to reload their settings`, 'yes')
  const vital = names.find(({ value }) => value !== null && VITAL.test(value))?.value
  if (typeof vital === 'string')
    return finding('high', 'system.kill-vital', `${program} ends ${vital}, which others depend on`, 'no', {
      reach: 'several',
      target: vital,
    })
  return finding('medium', 'system.kill', `${program} ends processes by name`, 'no', { reach: 'several' })
}

export const assessTmux: Assess = (facts) => {
  const { part, hasInner, verb } = facts
  const found = rateVerbs(facts)
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
  if (words.some((word) => /^(?:-ls|-list|-v|list-sessions|ls|setup)$/.test(word)))
    return finding('none', 'system.session', `${program} only lists sessions`)
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
