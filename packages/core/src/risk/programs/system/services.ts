import { hasOption } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'
import { matchVerb } from '../assessor/rate-verbs.ts'

const OWN = new Set(['--user'])

/** `systemctl`: units of the machine, or with `--user` of the user. */
export const assessSystemctl: Assess = (facts) => {
  const { finding: found, reading, verb } = matchVerb(facts)
  if (!hasOption(reading, OWN) || (found.level !== 'medium' && found.level !== 'high')) return found
  if (verb === 'daemon-reload' || verb === 'reset-failed' || verb === 'start')
    return finding('low', found.rule, found.text, 'yes', found.extent)
  return finding(
    verb === 'stop' || verb === 'restart' || verb === 'kill' ? 'medium' : found.level,
    found.rule,
    found.text,
    found.reversible,
    found.extent,
  )
}

/** `service nginx restart`, `rc-service nginx stop`, `/etc/init.d` by name. */
export const assessService: Assess = ({ part, program }) => {
  const words = plainWords(part)
  const name = words[0]?.value
  const action = words[1]?.value
  const extent = { reach: 'one' as const, ...targetNamed(name) }
  if (
    anyFlag(part, '--status-all', '-l', '--list') ||
    action === 'status' ||
    (words.length === 0 && part.args.length === 0)
  )
    return finding('none', 'system.service', `${program} only queries a service`)
  if (action === 'start' || action === 'reload' || action === 'force-reload')
    return finding('medium', 'system.service', `${program} starts a service`, 'yes', extent)
  return finding('high', 'system.service', `${program} stops or changes a service`, 'yes', extent)
}

/** `journalctl`: reads, unless it deletes entries. */
export const assessJournal: Assess = ({ part }) =>
  part.args.some(({ value }) => /^--(?:vacuum-|rotate|flush|setup-keys|relinquish-var|sync)/.test(value ?? ''))
    ? finding('high', 'system.logs', 'journalctl deletes or moves log entries', 'no', { reach: 'many' })
    : finding('none', 'system.logs', 'journalctl only reads')

/** `dmesg`. */
export const assessDmesg: Assess = ({ part }) =>
  anyFlag(part, '-C', '-c', '--clear', '--read-clear', '-D', '-n')
    ? finding('high', 'system.logs', 'dmesg clears the kernel’s messages', 'no')
    : finding('none', 'system.logs', 'dmesg only reads')

/** `crontab`. */
export const assessCrontab: Assess = ({ part }) => {
  if (anyFlag(part, '-l')) return finding('none', 'system.cron', 'crontab only lists scheduled commands')
  return anyFlag(part, '-r')
    ? finding('high', 'system.cron', 'crontab deletes everything scheduled', 'no', { reach: 'all' })
    : finding('high', 'system.cron', 'crontab changes what runs on a schedule', 'partly')
}

/** `at`, `batch`, `atq`, `atrm`. */
export const assessAt: Assess = ({ part, program }) => {
  if (program === 'atq' || anyFlag(part, '-l', '-V'))
    return finding('none', 'system.later', `${program} only lists waiting jobs`)
  if (program === 'atrm' || anyFlag(part, '-r', '-d'))
    return finding('medium', 'system.later', `${program} removes waiting jobs`, 'no')
  return finding('high', 'system.later', `${program} runs commands later in the background`, 'partly')
}

/** Flags and words with which servers only check their settings or print their version. */
const CHECKS =
  /^(?:-t|-T|-v|-V|-c|-S|-M|-l|-L|-h|configtest|check|check-config|fmt|validate|adapt|list-modules|environ|version|fullstatus|status|-tT|--check|--test|--configtest|--validate|-vv|--config-check)$/
const STARTS = /^(?:run|start|-d|-D|-f|serve|server|file-server|--config.*|reverse-proxy)$/

/** Servers: checks only read; signals and starts change the service. */
export const assessServerProgram: Assess = ({ part, program }) => {
  const words = part.args.map(({ value }) => value)
  const stops = words.some(
    (word) => word === null || /^(?:-s|-k|stop|restart|reload|graceful|graceful-stop|quit|-sf|-st)$/.test(word),
  )
  if (stops) return finding('high', 'system.server', `${program} stops or changes a running server`, 'yes')
  if (words.some((word) => word !== null && CHECKS.test(word)))
    return finding('none', 'system.server', `${program} only checks its settings`)
  return words.length === 0 || words.some((word) => word !== null && STARTS.test(word))
    ? finding('medium', 'network.listen', `${program} starts a server`, 'yes')
    : finding('medium', 'system.server', `${program} changes a server`)
}

/** Directory services: searching reads, the rest changes accounts. */
export const assessDirectory: Assess = ({ program }) =>
  /^(?:ldapsearch|ldapwhoami|ldapcompare|klist|wbinfo|smbstatus|showmount|nfsstat)$/.test(program)
    ? finding('none', 'system.directory', `${program} only reads`)
    : finding('high', 'system.directory', `${program} changes accounts or shares that others use`, 'partly')
