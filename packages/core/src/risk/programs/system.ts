import { type Assess, anyFlag, anyWord, hasUnknown, isDryRun } from '../facts.ts'
import { finding } from '../finding.ts'
import { plainWords } from '../spelled-path.ts'
import { byVerb } from '../verb-levels.ts'

export const assessSystemctl = byVerb({
  family: 'system',
  verbs: {
    none:
      'status,list-units,list-unit-files,list-timers,list-sockets,list-jobs,list-dependencies,is-active,' +
      'is-enabled,is-failed,show,cat,help,get-default,show-environment,is-system-running',
    high:
      'start,stop,restart,reload,enable,disable,mask,unmask,daemon-reload,edit,set-property,kill,isolate,' +
      'set-default,reset-failed,try-restart,reload-or-restart,link,revert,set-environment,import-environment',
    critical: 'poweroff,reboot,halt,kexec,suspend,hibernate,emergency,rescue,exit,switch-root',
  },
  otherwise: 'high',
})

export const assessService: Assess = ({ part }) => {
  const action = plainWords(part).at(-1)?.value
  return action === 'status'
    ? finding('none', 'system.service', 'only asks a service')
    : finding('high', 'system.service', 'starts or stops a service', 'yes')
}

const EVERYTHING = new Set(['-1', '1', '0'])

export const assessKill: Assess = ({ part, program }) => {
  if (anyFlag(part, '-l', '-L') || part.args.some((word) => word.value === '-0'))
    return finding('none', 'system.kill', `${program} only asks`)
  const targets =
    program === 'kill'
      ? part.args.filter((word, at) => at > 0 || word.value === null || !word.value.startsWith('-'))
      : plainWords(part)
  if (program === 'kill' && targets.some((word) => EVERYTHING.has(word.value ?? '')))
    return finding('critical', 'system.kill-all', 'ends every process')
  if (anyFlag(part, '-u', '--euid', '-U'))
    return finding('high', 'system.kill-user', `${program} ends all processes of a user`, 'no')
  if (hasUnknown(part)) return finding('medium', 'system.kill', `${program} ends processes that are not known`, 'no')
  return finding('medium', 'system.kill', `${program} ends processes`, 'no')
}

export const assessCrontab: Assess = ({ part }) =>
  anyFlag(part, '-l')
    ? finding('none', 'system.cron', 'only lists scheduled commands')
    : finding('high', 'system.cron', 'changes what runs on a schedule')

/** Programs that read by default and change with a verb: `ip addr` or `ip link set`. */
const CHANGES = new Set(
  (
    'set add del delete change replace flush up down -w --write write -s --set insert append -A -D -I -F -X ' +
    '-P -N -Z enable disable reset load-module install remove create attach detach -n --systohc -c modify ' +
    'connect disconnect set-hostname set-time set-timezone set-ntp save restore default allow deny reject ' +
    'reload mount umount'
  ).split(' '),
)

export const assessToggle: Assess = ({ part, program }) => {
  if (isDryRun(part)) return finding('none', 'system.dry-run', `${program} only shows what it would do`)
  const changes = anyWord(part, CHANGES) || part.args.some((word) => word.value === null || /^[\w.]+=/.test(word.value))
  return changes
    ? finding('high', 'system.change', `${program} changes the machine’s settings`)
    : finding('none', 'system.read', `${program} only reads`)
}

/** Wrappers: rated by what they run, which is a part of its own. */
export const assessWrapper: Assess = ({ program, hasInner }) =>
  hasInner
    ? finding('none', 'wrapper.inner', `${program} runs the command shown`)
    : finding('none', 'wrapper.bare', `${program} runs nothing that is shown`)

export const assessPrivilege: Assess = ({ part, program, hasInner }) => {
  if (hasInner) return finding('low', 'wrapper.privilege', `${program} runs it as another user`)
  if (anyFlag(part, '-l', '-v', '-k', '-K', '-V', '--list', '--validate'))
    return finding('low', 'wrapper.privilege', `${program} only asks about rights`)
  return finding('high', 'wrapper.privilege', `${program} opens a session as another user`)
}

export const assessEnv: Assess = ({ hasInner }) =>
  hasInner
    ? finding('none', 'wrapper.inner', 'env runs the command shown')
    : finding('medium', 'system.environment', 'shows the environment, which often holds secrets', 'no')

export const assessEval: Assess = ({ part, hasInner }) =>
  hasInner || part.args.length === 0
    ? finding('none', 'shell.inner', 'runs the commands shown')
    : finding('high', 'shell.eval', 'runs text that is not known', 'unknown')

export const assessSource: Assess = ({ part, paths }) => {
  const file = part.args[0]
  if (file === undefined) return finding('none', 'shell.source', 'reads nothing')
  if (file.value === null || file.glob)
    return finding('high', 'shell.source', 'runs a file that is not known', 'unknown')
  const place = paths.find((path) => path.use === 'read')?.place ?? null
  if (place === 'temp' || place === 'elsewhere' || place === 'device' || place === null)
    return finding('high', 'shell.source', 'runs a file from outside the workspace', 'unknown')
  return finding('low', 'shell.source', 'runs a file in the shell')
}

export const assessHistory: Assess = ({ part }) =>
  anyFlag(part, '-c', '-d', '-w', '-a', '-r')
    ? finding('high', 'system.history', 'changes the shell’s history')
    : finding('medium', 'system.history', 'shows the shell’s history', 'no')
export const assessDate: Assess = ({ part }) =>
  anyFlag(part, '-s', '--set')
    ? finding('high', 'system.clock', 'sets the clock')
    : finding('none', 'system.clock', 'only tells the time')
export const assessHostname: Assess = ({ part }) =>
  plainWords(part).length > 0
    ? finding('high', 'system.hostname', 'renames the machine')
    : finding('none', 'system.hostname', 'only tells the name')
export const assessExport: Assess = ({ part }) => {
  const unknown = part.args.some((word) => word.value === null) && part.assignments.length === 0
  return unknown
    ? finding('high', 'environment.unknown', 'sets variables that are not known', 'unknown')
    : finding('low', 'environment.set', 'sets variables')
}
