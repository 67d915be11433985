import { wordSet } from '../../arguments/word-set.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyFlag, hasUnknown, isDryRun } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const reads = (program: string): RiskFinding => finding('none', 'system.read', `${program} only reads`)
const changes = (program: string, says: string): RiskFinding =>
  finding('high', 'system.change', `${program} ${says}`, 'yes')

/** Arguments under which a firewall's program only looks. */
const FIREWALL_LOOKS: ReadonlyMap<string, RegExp> = new Map([
  ['iptables', /^(?:-[nvx]*[LS][nvxLS]*|--list|--list-rules|-C|--check)$/],
  ['nft', /^(?:list|describe|monitor|-c|--check)$/],
  ['ufw', /^(?:status|show|version|app)$/],
  ['firewall-cmd', /^--(?:list-|state|get-|query-|info-|check-config)/],
  ['pfctl', /^-s/],
  ['csrutil', /^(?:status|authenticated-root)$/],
  ['spctl', /^(?:--status|-a|--assess|--list|-v)$/],
  ['fail2ban-client', /^(?:status|get|ping|version|banned)$/],
  ['auditctl', /^-[ls]$/],
  ['aa-status', /./],
])

/** `iptables`, `nft`, `ufw` and others that guard the machine. */
export const assessFirewall: Assess = ({ part, program }) => {
  if (isDryRun(part)) return finding('none', 'system.dry-run', `${program} only shows what it would do`)
  const looks = FIREWALL_LOOKS.get(program.replace(/^ip6tables/, 'iptables'))
  const bare = part.args.length === 0
  if (
    bare ||
    (looks !== undefined &&
      part.args.some(({ value }) => value !== null && looks.test(value)) &&
      !hasUnknown(part) &&
      !part.args.some(({ value }) => /^(?:-[ADIFXPNRZ]|enable|disable|reset|flush)$/.test(value ?? '')))
  )
    return program === 'setenforce'
      ? finding('none', 'system.bare', `${program} is given nothing to do`)
      : reads(program)
  return changes(program, 'changes what guards the machine')
}

const IP_CHANGES = wordSet(
  'add a del delete d set s change chg replace flush append prepend up down exec restore save attach detach',
)

/** `ip`, `ifconfig`, `route`: addresses and ways. */
export const assessInterfaces: Assess = ({ part, program }) => {
  const words = plainWords(part, wordSet('-f -family -n -netns -b -batch'))
  if (program === 'ip') {
    if (part.args.some(({ value }) => value === '-b' || value === '-batch'))
      return changes(program, 'changes how the machine reaches the network')
    const verb = words[1]
    if (verb === undefined) return reads(program)
    return verb.value === null || IP_CHANGES.has(verb.value)
      ? changes(program, 'changes how the machine reaches the network')
      : reads(program)
  }
  if (program === 'ifconfig' || program === 'iwconfig')
    return words.length > 1 ? changes(program, 'changes how the machine reaches the network') : reads(program)
  if (program === 'ethtool')
    return anyFlag(part, '-s', '-K', '-G', '-C', '-A', '-L', '--change')
      ? changes(program, 'changes a network card')
      : reads(program)
  return words.some(
    ({ value }) => value === null || /^(?:add|del|delete|change|flush|addbr|delbr|addif|delif)$/.test(value),
  )
    ? changes(program, 'changes how the machine reaches the network')
    : reads(program)
}

/** `nmcli`, `networkctl`. */
export const assessNetworkManager = byRows({
  family: 'system',
  valued: '-f --fields -g --get-values -m --mode -w --wait -c --colors',
  plain: '-t --terse -p --pretty -a --ask -s --show-secrets',
  bare: ['none', READS],
  rows: [
    [
      'none',
      'yes',
      READS,
      'general, g, general status, general hostname, networking, networking connectivity, radio, radio wifi, radio all, connection, c, con, con show, c show, connection show, device, d, dev, dev status, device status, dev show, device show, device wifi, device wifi list, dev wifi, dev wifi list, d wifi, d wifi list, device wifi rescan, monitor, list, status, lldp',
    ],
    [
      'high',
      'yes',
      'changes how the machine reaches the network',
      'networking on, networking off, radio wifi on, radio wifi off, con up, con down, c up, c down, connection up, connection down, con add, con modify, con mod, connection modify, connection add, connection edit, connection clone, connection import, connection reload, device connect, device disconnect, dev connect, dev disconnect, device set, device modify, device wifi connect, dev wifi connect, d wifi connect, device wifi hotspot, general hostname set, up, down, renew, reconfigure, reload, delete, agent',
    ],
    ['high', 'no', 'deletes a connection', 'con delete, con del, connection delete, device delete, c delete'],
  ],
  flags: [
    {
      verbs: 'con show, c show, connection show',
      flags: '-s --show-secrets',
      level: 'high',
      back: 'no',
      says: 'shows passwords of networks',
    },
  ],
  otherwise: 'high',
})

/** `hostnamectl`, `timedatectl`, `localectl`, `loginctl`, `resolvectl`, `busctl`. */
export const assessControl = byRows({
  family: 'system',
  valued: '-H --host -M --machine -p --property -n --lines',
  bare: ['none', READS],
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, show, list-timezones, timesync-status, show-timesync, list-locales, list-keymaps, list-x11-keymap-layouts, list-sessions, list-users, list-seats, session-status, show-session, user-status, show-user, seat-status, show-seat, list, tree, introspect, monitor, query, statistics',
    ],
    [
      'high',
      'yes',
      'changes the machine’s settings',
      'set-time, set-timezone, set-local-rtc, set-ntp, set-hostname, hostname, set-icon-name, set-chassis, set-location, set-deployment, icon-name, chassis, deployment, location, set-locale, set-keymap, set-x11-keymap, enable-linger, disable-linger, attach, flush-devices, call, set-property, lock-session, unlock-session, activate, ntp-servers, revert',
    ],
    [
      'high',
      'no',
      'ends sessions of people',
      'terminate-session, terminate-user, terminate-seat, kill-session, kill-user',
    ],
  ],
  otherwise: 'high',
})

/** Settings of macOS and of a desktop. */
export const assessDesktop: Assess = ({ part, program }) => {
  const first = part.args[0]?.value ?? ''
  switch (program) {
    case 'defaults':
      if (/^(?:read|read-type|find|domains|export|help)$/.test(first) || part.args.length === 0) return reads(program)
      return finding(
        'medium',
        'system.preferences',
        'defaults changes preferences',
        first === 'write' ? 'yes' : 'partly',
        { ...target(part.args[1]?.value) },
      )
    case 'networksetup':
    case 'systemsetup':
      return /^-(?:list|get|show|print|help)/i.test(first) || first === ''
        ? reads(program)
        : changes(program, 'changes the machine’s settings')
    case 'scutil':
      return /^--(?:get|dns|proxy|nwi|nc)$/.test(first)
        ? reads(program)
        : changes(program, 'changes the machine’s settings')
    case 'pmset':
      return first === '-g' ? reads(program) : changes(program, 'changes how the machine sleeps')
    case 'nvram':
      return first === '-p' || first === '-x' ? reads(program) : changes(program, 'changes how the machine starts')
    case 'softwareupdate':
      return first === '-l' || first === '--list' || first === '--history'
        ? reads(program)
        : changes(program, 'installs updates of the system')
    case 'dscacheutil':
    case 'mdutil':
      return finding('low', 'system.caches', `${program} works on caches`)
    default:
      return /^(?:get|list|list-recursively|list-schemas|list-keys|range|monitor|describe|-q|query|read|dump)$/.test(
        first,
      ) || first === ''
        ? reads(program)
        : finding('medium', 'system.preferences', `${program} changes preferences`, 'yes')
  }
}

function target(name: string | null | undefined): { target?: string } {
  return typeof name === 'string' && /^[\w.-]{1,100}$/.test(name) ? { target: name } : {}
}

const SHOWS = /^\s*display (?:notification|dialog|alert)\b[^&]*$/

/** `osascript`: it can press every button of the desktop. */
export const assessOsascript: Assess = ({ part }) => {
  const code = part.args.filter((_, at) => part.args[at - 1]?.value === '-e').map(({ value }) => value)
  if (code.length > 0 && code.every((text) => text !== null && SHOWS.test(text) && !/do shell script/i.test(text)))
    return finding('low', 'system.script', 'osascript shows a message on this screen')
  return finding('high', 'system.script', 'osascript steers other programs', 'unknown')
}

/** `open`, `xdg-open`. */
export const assessOpen: Assess = ({ part, program }) => {
  const words = plainWords(part, wordSet('-a -b -e --args'))
  const plain =
    words.length > 0 &&
    words.every(
      ({ value }) =>
        value !== null &&
        !/^[a-z][a-z0-9+.-]*:/i.test(value) &&
        !/\.(?:app|command|sh|pkg|dmg|exe|desktop)$/i.test(value),
    )
  return plain && !anyFlag(part, '-a', '-b')
    ? finding('low', 'system.open', `${program} opens a file with another program`)
    : finding('medium', 'system.open', `${program} opens something with another program`, 'partly')
}

/** `hostname`. */
export const assessHostname: Assess = ({ part }) =>
  plainWords(part).length > 0 || anyFlag(part, '-F', '--file')
    ? changes('hostname', 'renames the machine')
    : finding('none', 'system.hostname', 'hostname only tells the name')
