import { hasOption } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'
import { byRows, verbRater } from '../assessor/verb-table.ts'

const READS = 'only reads'

const systemctl = verbRater({
  family: 'system',
  shape: 'compound',
  as: 'systemctl',
  bare: ['none', READS],
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, list-units, list-unit-files, list-timers, list-sockets, list-jobs, list-dependencies, list-machines, list-paths, list-automounts, is-active, is-enabled, is-failed, is-system-running, show, cat, help, get-default, show-environment, whoami, service-log-level',
    ],
    [
      'medium',
      'yes',
      'starts a unit or makes it read its files again',
      'start, reload, daemon-reload, reset-failed, reload-or-restart, try-reload-or-restart, daemon-reexec, log-level',
    ],
    [
      'high',
      'yes',
      'stops a unit or changes when it runs',
      'stop, restart, try-restart, enable, reenable, disable, mask, unmask, isolate, set-default, link, preset, preset-all, freeze, thaw, cancel',
    ],
    ['high', 'no', 'ends the processes of a unit', 'kill'],
    [
      'high',
      'partly',
      'changes how units run',
      'edit, set-property, revert, set-environment, unset-environment, import-environment, bind, mount-image, add-wants, add-requires, clean',
    ],
    [
      'critical',
      'yes',
      'stops the machine',
      'poweroff, reboot, halt, kexec, soft-reboot, suspend, hibernate, hybrid-sleep, suspend-then-hibernate, sleep, emergency, rescue, exit, switch-root, default',
      'all',
    ],
  ],
  otherwise: 'high',
})

const OWN = new Set(['--user'])

/** `systemctl`: units of the machine, or with `--user` one's own. */
export const assessSystemctl: Assess = (facts) => {
  const { finding: found, reading, verb } = systemctl(facts)
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
    return finding('none', 'system.service', `${program} only asks a service`)
  if (action === 'start' || action === 'reload' || action === 'force-reload')
    return finding('medium', 'system.service', `${program} starts a service`, 'yes', extent)
  return finding('high', 'system.service', `${program} stops or changes a service`, 'yes', extent)
}

/** `launchctl`. */
export const assessLaunchctl = byRows({
  family: 'system',
  shape: 'compound',
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, print, print-cache, print-disabled, blame, dumpstate, help, version, managername, manageruid, managerpid, getenv, hostinfo, procinfo, examine, error, plist',
    ],
    [
      'high',
      'partly',
      'changes what runs at sign-in or in the background',
      'load, unload, bootstrap, bootout, enable, disable, submit, remove, start, stop, kickstart, kill, setenv, unsetenv, config, limit, asuser, attach, uncache',
    ],
    ['critical', 'yes', 'stops the machine', 'reboot', 'all'],
  ],
  otherwise: 'high',
})

/** `pm2`, `supervisorctl`, `forever`, `foreman`, `overmind`, `circusctl`, `s6-svc`. */
export const assessSupervisor = byRows({
  family: 'system',
  valued: '-n --name -i --instances -c --conf -s -u -p --env -f --procfile --lines',
  bare: ['low', 'opens a session'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, ls, l, status, logs, log, monit, show, info, describe, jlist, prettylist, env, id, pid, tail, avail, version, ping, check, maintail, ps, plain, report, dashboard',
    ],
    [
      'low',
      'yes',
      'runs the project’s own processes',
      'start, restart, reload, stop, run, flush, save, dump, resurrect, scale, serve, update, reset, attach, connect, echo, init, ecosystem, sendsignal, startorrestart, startorreload, gracefulreload, quit, kill-session',
    ],
    [
      'medium',
      'partly',
      'takes processes out of the list or ends them',
      'delete, del, kill, stopall, remove, unmonitor, clear, signal, cleardump, reloadlogs, reread, add, install, uninstall, set, link',
    ],
    ['high', 'partly', 'changes what runs on this or another machine', 'startup, unstartup, deploy, shutdown, export'],
  ],
  otherwise: 'medium',
})

/** `journalctl`: reads, unless it throws entries away. */
export const assessJournal: Assess = ({ part }) =>
  part.args.some(({ value }) => /^--(?:vacuum-|rotate|flush|setup-keys|relinquish-var|sync)/.test(value ?? ''))
    ? finding('high', 'system.logs', 'journalctl throws away or moves entries of the log', 'no', { reach: 'many' })
    : finding('none', 'system.logs', 'journalctl only reads')

/** `dmesg`. */
export const assessDmesg: Assess = ({ part }) =>
  anyFlag(part, '-C', '-c', '--clear', '--read-clear', '-D', '-n')
    ? finding('high', 'system.logs', 'dmesg empties the kernel’s messages', 'no')
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
    return finding('none', 'system.later', `${program} only lists what waits`)
  if (program === 'atrm' || anyFlag(part, '-r', '-d'))
    return finding('medium', 'system.later', `${program} takes waiting commands out`, 'no')
  return finding('high', 'system.later', `${program} runs commands later and out of sight`, 'partly')
}
