import { isThisMachine } from '../call/address/classify.ts'
import type { FrozenCall } from '../call/call.ts'
import type { CommandPart } from '../command/model/decomposition.ts'
import { lowerCase } from '../command/programs/program-names.ts'
import { SECRETS } from '../knowledge/compiled/tools.ts'
import { isSink } from './flow/sinks.ts'
import type { LocatedPath, RiskCircumstances } from './path/located-path.ts'
import { finding, type RiskFinding } from './report/finding.ts'
import type { HostUse, PathUse, RatedPart } from './report/report.ts'
import { isOwnHost, issuersIn } from './tool/secrets.ts'

/** Where the arguments of a call go. */
type Sink = { readonly kind: 'host'; readonly host: string | null } | { readonly kind: 'file' | 'commit' | 'others' }

/** Rates the credentials that leave with a call: those that were read in this session, and literal ones in a command. */
export function rateLeavingSecrets(
  call: FrozenCall,
  parts: readonly RatedPart[],
  located: readonly LocatedPath[],
  hosts: readonly HostUse[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const found = parts.flatMap((part) => rateLiteral(part, now))
  const { leaving } = now
  if (parts.length === 0) found.push(...rateWrittenLiteral(call, located, now))
  if (leaving === undefined) return found
  const sink = parts.length > 0 ? sinkOfCommand(parts, now) : sinkOfTool(call, located, hosts, now)
  if (sink === null) return found
  for (const source of leaving.from.slice(0, MOST_SOURCES))
    found.push(
      finding(
        'high',
        'secret.leaves',
        `${VERB[sink.kind]} a credential${WHERE[sink.kind]} that was read from \`${source}\``,
        'no',
      ),
    )
  if (leaving.isFull && leaving.from.length === 0)
    found.push(
      finding('medium', 'secret.unknown', 'may send a credential: this session read more than can be recognized', 'no'),
    )
  return found
}

const MOST_SOURCES = 4
const VERB = { host: 'sends', others: 'sends', commit: 'commits', file: 'writes' } as const
const WHERE = { host: '', others: '', commit: '', file: ' outside the workspace' } as const
const COMMITS: ReadonlySet<string> = new Set(
  'commit tag notes commit-tree hash-object branch checkout switch push stash update-ref'.split(' '),
)
const PUBLISHERS: ReadonlySet<string> = new Set([
  'gh',
  'glab',
  'hub',
  'tea',
  'jira',
  'slack',
  'mail',
  'mailx',
  'sendmail',
  'mutt',
])

/** Kinds of tools that do nothing but handle files, where a credential may stay. */
const FILE_KINDS: ReadonlySet<string> = new Set(['read', 'write', 'delete', 'move'])

function sinkOfTool(
  { descriptor, tool }: FrozenCall,
  located: readonly LocatedPath[],
  hosts: readonly HostUse[],
  now: RiskCircumstances,
): Sink | null {
  const remote = hosts.find(isRemote)
  if (remote !== undefined) return { kind: 'host', host: remote.host }
  if (located.some(({ at, use }) => use === 'write' && isOutside(at, now))) return { kind: 'file' }
  if (tool.server !== null) return now.trustedServers?.has(tool.server) === true ? null : { kind: 'others' }
  if (FILE_KINDS.has(descriptor.kind) || descriptor.kind === 'execute') return null
  return hosts.length > 0 ? null : { kind: 'others' }
}

function sinkOfCommand(parts: readonly RatedPart[], now: RiskCircumstances): Sink | null {
  for (const part of parts) {
    const sink = sinkOfPart(part, now)
    if (sink !== null) return sink
  }
  return null
}

function sinkOfPart({ command, hosts, paths }: RatedPart, now: RiskCircumstances): Sink | null {
  const remote = hosts.find(isRemote)
  if (remote !== undefined) return { kind: 'host', host: remote.host }
  if (hosts.length === 0 && isSink(command)) return { kind: 'host', host: null }
  if (PUBLISHERS.has(lowerCase(command.program ?? ''))) return { kind: 'others' }
  if (isCommit(command)) return { kind: 'commit' }
  return paths.some((path) => path.use === 'write' && isOutside(placeOf(path), now)) ? { kind: 'file' } : null
}

function isCommit({ program, args }: CommandPart): boolean {
  return program === 'git' && args.some(({ value }) => value !== null && COMMITS.has(value))
}

function isRemote({ host }: HostUse): boolean {
  return host === null || !isThisMachine(host)
}

function placeOf({ real, given }: PathUse): string | null {
  return real ?? (given.startsWith('/') ? given : null)
}

function isOutside(path: string | null, { places: { workspace } }: RiskCircumstances): boolean {
  if (path === null || path.startsWith('/dev/')) return false
  return path !== workspace && !path.startsWith(`${workspace}/`)
}

/** Programs that do nothing but write their words. */
const WRITERS: ReadonlySet<string> = new Set(['echo', 'printf', 'tee', 'cat'])
const MAX_TEXT = 64 * 1024

/** Rates tokens of known issuers and private keys among the words of a command that sends or publishes. */
function rateLiteral(part: RatedPart, now: RiskCircumstances): readonly RiskFinding[] {
  const sink = sinkOfPart(part, now)
  if (sink === null || (sink.kind === 'file' && !WRITERS.has(part.command.program ?? ''))) return []
  const issuers = knownIssuers(wordsOf(part.command))
  if (issuers.length === 0) return []
  const { host } = { host: null, ...sink }
  if (host !== null && issuers.every((issuer) => isOwnHost(issuer, host)))
    return [finding('low', 'secret.own-host', `sends a credential to \`${host}\`, where it belongs`)]
  const isStored = sink.kind === 'file' || sink.kind === 'commit'
  return [
    isStored
      ? finding('high', 'secret.stored', `${VERB[sink.kind]} a credential${WHERE[sink.kind]}`, 'no')
      : finding('critical', 'secret.sent', 'sends a credential to a host it does not belong to', 'no'),
  ]
}

/** Rates a file tool that writes a token outside the workspace. */
function rateWrittenLiteral(
  { args, descriptor }: FrozenCall,
  located: readonly LocatedPath[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  if (descriptor.kind !== 'write' || !located.some(({ at, use }) => use === 'write' && isOutside(at, now))) return []
  const texts = Object.values(args).filter((value) => typeof value === 'string')
  const isFound = texts.some((text) => knownIssuers(text.slice(0, MAX_TEXT)).length > 0)
  return isFound ? [finding('high', 'secret.stored', 'writes a credential outside the workspace', 'no')] : []
}

function knownIssuers(text: string): readonly string[] {
  return issuersIn(text).filter((issuer) => !SECRETS.genericKinds.has(issuer) || issuer === 'private')
}

function wordsOf({ args, stdin }: CommandPart): string {
  const words = args.map(({ value, text }) => value ?? text).join(' ')
  const input = stdin.kind === 'literal' ? stdin.text : ''
  return `${words}\n${input}`.slice(0, MAX_TEXT)
}
