import type { CommandPart } from '../../command/decomposition.ts'
import { type Assess, anyFlag, anyPrefix, hasUnknown, isDryRun } from '../facts.ts'
import { finding } from '../finding.ts'

/** The HTTP method a curl-like command uses, as far as its words say. */
function methodOf(part: CommandPart): string | null {
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? ''
    if (value === '-X' || value === '--request' || value === '--method')
      return part.args[at + 1]?.value?.toUpperCase() ?? '?'
    const joined = /^(?:-[a-zA-Z]{0,8}?X|--request=|--method=)([A-Za-z]{1,16})$/.exec(value)
    if (joined?.[1] !== undefined) return joined[1].toUpperCase()
  }
  return null
}

const METADATA = /\/\/(?:169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200)/

export const assessCurl: Assess = ({ part, program }) => {
  if (part.args.some((word) => METADATA.test(word.value ?? '')))
    return finding('high', 'network.metadata', 'asks the cloud’s metadata service, which hands out credentials', 'no')
  if (
    anyFlag(
      part,
      '-K',
      '--config',
      '--unix-socket',
      '--abstract-unix-socket',
      '--netrc-file',
      '--use-askpass',
      '--execute',
    )
  ) {
    return finding('high', 'network.config', `${program} is steered by a file or a socket`, 'unknown')
  }
  const method = methodOf(part)
  if (method === 'DELETE' || method === 'PUT' || method === '?')
    return finding('high', 'network.change', `${program} changes or deletes something on a server`)
  const sends =
    anyFlag(
      part,
      '-d',
      '--data',
      '-F',
      '--form',
      '-T',
      '--upload-file',
      '--json',
      '--post-data',
      '--post-file',
      '--body-data',
      '--body-file',
    ) || anyPrefix(part, '--data-', '--form-')
  if (sends || (method !== null && method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'))
    return finding('medium', 'network.send', `${program} sends data to a server`)
  if (hasUnknown(part))
    return finding('medium', 'network.fetch-unknown', `${program} asks an address that is not known`)
  return finding('low', 'network.fetch', `${program} fetches from the network`)
}

/** Settings of ssh by which it runs a program or loads a library on this machine. */
const SSH_RUNS =
  /^(?:-[a-zA-Z0-9]*o)?\s*(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|PKCS11Provider|SecurityKeyProvider|SmartcardDevice|XAuthLocation|Include|Match)/i

function setsCommand(part: CommandPart): boolean {
  return part.args.some(({ value }) => value !== null && SSH_RUNS.test(value))
}

/** Whether a copy is made through a program that the command names, other than plain ssh. */
function namesTransport(part: CommandPart, program: string): boolean {
  if (program === 'rsync') {
    if (anyFlag(part, '--rsync-path')) return true
    return part.args.some(({ value }, at) => {
      if (value === null) return false
      const joined = /^--rsh=(.*)$/s.exec(value)?.[1]
      const named = joined ?? (/^(?:-[a-zA-Z0-9]*e|--rsh)$/.test(value) ? (part.args[at + 1]?.value ?? '') : null)
      if (named !== null) return !/^ssh(?: -[pi] \S+)*$/.test(named)
      return /^-[a-zA-Z0-9]*e/.test(value)
    })
  }
  if (setsCommand(part) || anyFlag(part, '-S', '-F', '-D', '-e')) return true
  return program === 'lftp' && anyFlag(part, '-c', '-f')
}

export const assessSsh: Assess = ({ part, hasInner }) => {
  if (setsCommand(part) || anyFlag(part, '-F', '-I', '--ssh', '--client')) {
    return finding('high', 'network.ssh-command', 'ssh is told to run a program on this machine', 'unknown')
  }
  if (part.args.some((word) => /^-[a-zA-Z]*[LRDW]/.test(word.value ?? '')))
    return finding('high', 'network.tunnel', 'ssh opens a tunnel')
  if (!hasInner && part.stdin.kind === 'piped') {
    return finding('high', 'network.ssh-stdin', 'runs whatever it is fed on another machine', 'unknown')
  }
  return hasInner
    ? finding('low', 'network.ssh', 'runs on another machine')
    : finding('medium', 'network.ssh', 'opens a session on another machine')
}

export const assessTransfer: Assess = ({ part, program, paths }) => {
  if (namesTransport(part, program))
    return finding('high', 'network.transfer-command', `${program} is told to run a program`, 'unknown')
  if (isDryRun(part) || (program === 'rsync' && anyFlag(part, '-n') && !hasUnknown(part)))
    return finding('none', 'network.dry-run', `${program} only shows what it would do`)
  if (anyFlag(part, '--delete', '--remove-source-files') || anyPrefix(part, '--delete-'))
    return finding('high', 'network.delete', `${program} deletes what the other side lacks`, 'no')
  const remote = part.args.some((word) => /^[\w.@-]+:/.test(word.value ?? ''))
  return finding(remote || paths.length < 2 ? 'medium' : 'low', 'network.transfer', `${program} copies files`)
}

export const assessNetcat: Assess = ({ part, program }) => {
  if (anyFlag(part, '-e', '-c', '--exec', '--sh-exec') || anyPrefix(part, 'EXEC:', 'SYSTEM:', 'exec:', 'system:')) {
    return finding('critical', 'network.remote-shell', `${program} gives a program to the network`)
  }
  if (anyFlag(part, '-z')) return finding('none', 'network.probe', `${program} only looks whether a port is open`)
  if (anyFlag(part, '-l')) return finding('medium', 'network.listen', `${program} listens on the network`)
  return finding('high', 'network.raw', `${program} opens a raw connection`)
}

/** Name look-ups and pings: harmless with literal words, a way out for data otherwise. */
export const assessLookup: Assess = ({ part, program }) =>
  hasUnknown(part)
    ? finding('medium', 'network.lookup-unknown', `${program} asks about a name that is not known`)
    : finding('none', 'network.lookup', `${program} only asks the network`)
