import type { CommandPart } from '../../../command/model/decomposition.ts'
import { valuedOptionsOf } from '../../../knowledge/programs.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { isRemote, plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyAbbreviation, anyFlag, anyPrefix, hasUnknown, isDryRun } from '../assessor/assessor.ts'
import { isProduction } from '../assessor/production-target.ts'

/** Settings with which ssh runs a program or loads a library on this machine. */
const SSH_RUNS =
  /^(?:-[a-zA-Z0-9]*o)?\s*(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|PKCS11Provider|SecurityKeyProvider|SmartcardDevice|XAuthLocation|Include|Match)/i

function setsCommand(part: CommandPart): boolean {
  return part.args.some(({ value }) => value !== null && SSH_RUNS.test(value) && !/ProxyCommand[= ]none$/i.test(value))
}

/** After letters that take no value: `-fNL`, not `-oLogLevel`. */
const FORWARDS = /^-[46AaCfGgKkMNnqsTtVvXxYy]*[LRDW]/

/** The options of ssh: those before the host, and directly after it. */
function ownWords(part: CommandPart): readonly string[] {
  const own: string[] = []
  const valued = valuedOptionsOf('ssh')
  let hosts = 0
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? ''
    if (!value.startsWith('-') || value === '-') {
      if (++hosts > 1) break
      continue
    }
    own.push(value)
    if (valued.has(value)) at++
  }
  return own
}

const FORGES = /^(?:[\w.-]+@)?(?:ssh\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|hf\.co)$/

/** `ssh`, `mosh`, `autossh`: the remote command is rated as its own part. */
export const assessSsh: Assess = ({ part, program, hasInner }) => {
  const own = ownWords(part)
  const lends = own.some((word) => /^-[a-zA-Z46]*A/.test(word))
  if (setsCommand(part) || anyPrefix(part, '--ssh=', '--client=') || own.some((word) => /^-[FI]$/.test(word)))
    return finding('high', 'network.ssh-command', `${program} runs a given program on this machine`, 'unknown')
  if (own.some((word) => /^-[VGQ]$/.test(word)))
    return finding('none', 'network.ssh', `${program} only prints its version or help`)
  const host = plainWords(part, valuedOptionsOf('ssh'))[0]?.value ?? null
  const extent = targetNamed(host)
  if (own.some((word) => FORWARDS.test(word)))
    return finding('high', 'network.tunnel', `${program} opens a tunnel`, 'yes', extent)
  if (!hasInner && (part.stdin.kind !== 'none' || part.redirections.some(({ operator }) => operator === '<')))
    return finding('high', 'network.ssh-stdin', 'runs its input on another machine', 'unknown', extent)
  if (hasInner || (host !== null && FORGES.test(host)))
    return finding('low', 'network.ssh', 'runs on another machine', 'yes', extent)
  return finding(
    'medium',
    'network.ssh',
    lends ? 'opens a session on another machine and forwards the SSH keys' : 'opens a session on another machine',
    'yes',
    extent,
  )
}

/** `ssh-copy-id`, `sshd`: access by SSH. */
export const assessSshAccess: Assess = ({ part, program }) =>
  anyFlag(part, ...(program === 'sshd' ? ['-t', '-T'] : ['-n']))
    ? finding('none', 'network.dry-run', `${program} only shows what it would do`)
    : finding('high', 'network.access', `${program} grants a key access to another machine`, 'yes')

/** Transports that are plain ssh with settings that run nothing. */
const PLAIN_SSH = /^(?:\/usr\/bin\/)?ssh(?: [\w@%+=:,./~-]+)*$/

/** Whether the command names a transport other than plain ssh. */
function namesTransport(part: CommandPart, program: string): boolean {
  if (program === 'rsync') {
    if (
      part.args.some(
        ({ value }) =>
          /^--rsync-path(?:=|$)/.test(value ?? '') &&
          !/^--rsync-path=(?:sudo )?(?:\/usr\/bin\/)?rsync$/.test(value ?? ''),
      )
    )
      return true
    return part.args.some(({ value }, at) => {
      if (value === null) return false
      const joined = /^--rsh=(.*)$/s.exec(value)?.[1]
      const named = joined ?? (/^(?:-[a-zA-Z0-9]*e|--rsh)$/.test(value) ? (part.args[at + 1]?.value ?? '') : null)
      if (named !== null)
        return (
          !PLAIN_SSH.test(named) ||
          SSH_RUNS.test(named.replace(/^.*-o ?/, '')) ||
          /ProxyCommand|LocalCommand/i.test(named)
        )
      return /^-[a-zA-Z0-9]*e./.test(value) && !/^-[a-zA-Z0-9]*e(?:ssh)?$/.test(value)
    })
  }
  if (setsCommand(part) || anyFlag(part, '-S', '-F', '-D')) return true
  return program === 'lftp' && anyFlag(part, '-c', '-f', '-e')
}

/** `scp`, `rsync`, `sftp` and similar. */
export const assessTransfer: Assess = ({ part, program }) => {
  if (namesTransport(part, program))
    return finding('high', 'network.transfer-command', `${program} runs a given program`, 'unknown')
  if (isDryRun(part) || (program === 'rsync' && anyFlag(part, '-n') && !hasUnknown(part)))
    return finding('none', 'network.dry-run', `${program} only shows what it would do`)
  if (program === 'rsync' && anyFlag(part, '--list-only'))
    return finding('none', 'network.list', `${program} only lists`)
  const remote =
    part.args.find(({ value }) => value !== null && (isRemote(value) || /^rsync:\/\//.test(value)))?.value ?? null
  const host = remote === null ? null : (/^(?:rsync:\/\/)?(?:[\w.-]+@)?([\w.-]+)/.exec(remote)?.[1] ?? null)
  const extent = targetNamed(host)
  if (anyFlag(part, '--delete') || anyPrefix(part, '--del') || anyAbbreviation(part, '--remove-source-files'))
    return finding('high', 'network.delete', `${program} deletes files that are missing from the source`, 'no', {
      reach: 'many',
      ...extent,
    })
  if (host === null) {
    if (program === 'rsync') return finding('low', 'network.transfer', `${program} copies files on this machine`)
    return finding('medium', 'network.transfer', `${program} opens a file transfer session`, 'partly')
  }
  const up = part.args.findLast(({ value }) => value !== null && !value.startsWith('-'))?.value === remote
  if (up && isProduction(host))
    return finding('high', 'network.deploy', `${program} copies files to production`, 'partly', extent)
  return finding(
    'medium',
    'network.transfer',
    `${program} copies files ${up ? 'to' : 'from'} another machine`,
    'partly',
    extent,
  )
}
