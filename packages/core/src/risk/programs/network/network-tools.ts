import { valuedOptionsOf } from '../../../knowledge/programs.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag, anyPrefix, hasUnknown } from '../assessor/assessor.ts'
import { isLocalHost } from '../assessor/host-location.ts'

/** `nc` and similar, `socat`, `telnet`. */
export const assessNetcat: Assess = ({ part, program }) => {
  if (
    anyFlag(part, '-e', '-c', '--exec', '--sh-exec', '--lua-exec') ||
    part.args.some(({ value }) => /^(?:EXEC|SYSTEM|SHELL):/i.test(value ?? ''))
  )
    return finding('critical', 'network.remote-shell', `${program} gives remote access to a program`, 'no')
  if (program === 'socat') return rateSocat(part.args.map(({ value }) => value ?? '?'))
  if (anyFlag(part, '-z')) return finding('none', 'network.probe', `${program} only checks whether a port is open`)
  const words = plainWords(part, valuedOptionsOf('nc'))
  const host = words[0]?.value ?? null
  if (anyFlag(part, '-l', '--listen')) {
    const open = words.some(({ value }) => value === '0.0.0.0' || value === '::')
    return finding(open ? 'high' : 'medium', 'network.listen', `${program} listens on the network`, 'yes')
  }
  if (words.length === 0) return finding('none', 'network.bare', `${program} has no URL or host`)
  const extent = targetNamed(host)
  if (host !== null && (isLocalHost(host) || anyFlag(part, '-U')))
    return finding('low', 'network.raw', `${program} connects to a local service`, 'partly', extent)
  return finding(
    program === 'telnet' ? 'medium' : 'high',
    'network.raw',
    `${program} opens a raw connection`,
    'no',
    extent,
  )
}

const rateSocat = (words: readonly string[]) => {
  const ends = words.filter((word) => !word.startsWith('-') || word === '-')
  if (ends.some((word) => /listen/i.test(word)))
    return finding('high', 'network.listen', 'socat opens a port on this machine', 'yes')
  if (
    ends.every(
      (word) =>
        word === '-' ||
        /^(?:STDIO|STDIN|STDOUT|UNIX|UNIX-CONNECT|OPEN|FILE|PTY|PIPE)/i.test(word) ||
        /^TCP4?:(?:localhost|127\.)/i.test(word),
    )
  )
    return finding('medium', 'network.raw', 'socat connects local streams')
  return finding('high', 'network.raw', 'socat opens a raw connection', 'no')
}

/** Name look-ups and pings: harmless with literal words, a way out for data otherwise. */
export const assessLookup: Assess = ({ part, program }) => {
  if (program === 'getent' && part.args.some(({ value }) => value === 'shadow' || value === 'gshadow'))
    return finding('high', 'path.read-credentials', 'getent prints password hashes', 'no')
  if (program === 'ss' && anyFlag(part, '-K', '--kill'))
    return finding('high', 'network.kill', 'ss closes connections of other programs', 'no')
  if (part.args.some(({ value, glob, text }) => (value === null || glob) && CARRIES.test(text)))
    return finding('high', 'network.lookup-data', `${program} sends data out through a DNS lookup`, 'no')
  return hasUnknown(part) || part.args.some(({ glob }) => glob)
    ? finding('medium', 'network.lookup-unknown', `${program} looks up an unknown name`)
    : finding('none', 'network.lookup', `${program} only queries the network`)
}

/** The output of a command as one label of a longer name. */
const CARRIES = /(?:\)|`)["']?\.[a-zA-Z]/

/** `nmap`, `masscan`: who is there, and what is open. */
export const assessScan: Assess = ({ part, program }) => {
  if (part.args.length === 1 && part.args[0]?.value === '-V')
    return finding('none', 'network.scan', `${program} only prints its version`)
  const words = plainWords(part, valuedOptionsOf('nmap'))
  if (words.length > 0 && words.every(({ value }) => value !== null && isLocalHost(value)))
    return finding('low', 'network.scan', `${program} scans the ports of this machine`)
  const attacks = anyPrefix(part, '--script') || program === 'masscan' || program === 'zmap'
  return finding(attacks ? 'high' : 'medium', 'network.scan', `${program} scans the ports of other machines`, 'yes')
}

/** `tcpdump`, `tshark`: what others send over the network. */
export const assessCapture: Assess = ({ part, program }) =>
  anyFlag(part, '-r', '-D', '--list-interfaces')
    ? finding('none', 'network.capture', `${program} only reads a capture file`)
    : finding('medium', 'network.capture', `${program} captures network traffic`, 'no')

/** `mail`, `sendmail`, `mutt` and similar: people receive it. */
export const assessMail: Assess = ({ part, program }) => {
  const looks = part.args.some(
    ({ value }) => value === '-bp' || (program.startsWith('mail') && (value === '-H' || value === '-e')),
  )
  if (program === 'mailq' || looks) return finding('none', 'network.mail', `${program} only lists mail`)
  const words = plainWords(part, valuedOptionsOf('mail'))
  if (words.length === 0 && part.stdin.kind === 'none' && part.redirections.length === 0 && !anyFlag(part, '-t'))
    return finding('low', 'network.mail', `${program} opens a mailbox`)
  const to = words.find(({ value }) => value?.includes('@'))?.value
  return finding('high', 'network.mail', `${program} sends mail`, 'no', {
    reach: words.length > 1 ? 'several' : 'one',
    ...targetNamed(to),
  })
}
