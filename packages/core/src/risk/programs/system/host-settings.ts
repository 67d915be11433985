import { rowList, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { type Assess, anyFlag, hasUnknown, isDryRun } from '../assessor/assessor.ts'

const reads = (program: string): RiskFinding => finding('none', 'system.read', `${program} only reads`)
const changes = (program: string, says: string): RiskFinding =>
  finding('high', 'system.change', `${program} ${says}`, 'yes')

/** Arguments with which firewall programs only read. */
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

/** `iptables`, `nft`, `ufw` and others that protect the machine. */
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
    return program === 'setenforce' ? finding('none', 'system.bare', `${program} has nothing to do`) : reads(program)
  return changes(program, 'changes firewall or security settings')
}

/** `ip`, `ifconfig`, `route`: addresses and routes. */
export const assessInterfaces: Assess = ({ part, program }) => {
  const words = plainWords(part, valuedOptionsOf('ip'))
  if (program === 'ip') {
    if (part.args.some(({ value }) => value === '-b' || value === '-batch'))
      return changes(program, 'changes network settings')
    const verb = words[1]
    if (verb === undefined) return reads(program)
    return verb.value === null || rowList('ip', 'changing_verbs').has(verb.value)
      ? changes(program, 'changes network settings')
      : reads(program)
  }
  if (program === 'ifconfig' || program === 'iwconfig')
    return words.length > 1 ? changes(program, 'changes network settings') : reads(program)
  if (program === 'ethtool')
    return anyFlag(part, '-s', '-K', '-G', '-C', '-A', '-L', '--change')
      ? changes(program, 'changes a network card')
      : reads(program)
  return words.some(
    ({ value }) => value === null || /^(?:add|del|delete|change|flush|addbr|delbr|addif|delif)$/.test(value),
  )
    ? changes(program, 'changes network settings')
    : reads(program)
}

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
      return finding('low', 'system.caches', `${program} clears caches`)
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
  return finding('high', 'system.script', 'osascript controls other programs', 'unknown')
}

/** `open`, `xdg-open`. */
export const assessOpen: Assess = ({ part, program }) => {
  const words = plainWords(part, valuedOptionsOf('open'))
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
    : finding('medium', 'system.open', `${program} opens a file or URL with another program`, 'partly')
}

/** `hostname`. */
export const assessHostname: Assess = ({ part }) =>
  plainWords(part).length > 0 || anyFlag(part, '-F', '--file')
    ? changes('hostname', 'renames the machine')
    : finding('none', 'system.hostname', 'hostname only shows the name')
