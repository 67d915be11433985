import type { CommandPart } from '../command/decomposition.ts'
import { SHELLS } from '../command/shells.ts'
import { finding, type RiskFinding } from './finding.ts'
import { interpreterOf } from './interpreter-names.ts'
import { isPublicHalf } from './place.ts'
import type { LocatedPath } from './rated-path.ts'
import { wordSet } from './word-set.ts'

const DOWNLOADS = wordSet('curl wget http https xh httpie aria2c fetch scp sftp ftp lftp nc ncat netcat socat')
const DECODES = wordSet('base64 base32 xxd openssl gpg gpg2 gunzip zcat bzcat xzcat uudecode rev tr od basenc age')
const SINKS = wordSet(
  'curl wget http https xh httpie nc ncat netcat socat scp sftp ftp lftp rsync ssh mail mailx sendmail dig ' +
    'nslookup host ping telnet aws gsutil gcloud rclone',
)
const RUNS_TEXT = wordSet('eval source .')

/** One part with its located paths. */
export interface FlowPart {
  readonly part: CommandPart
  readonly paths: readonly LocatedPath[]
}

const nameOf = (part: CommandPart) => part.program?.toLowerCase() ?? ''

/** Whether a part runs code from its input or from a word that another command prints. */
function takesCode(part: CommandPart): boolean {
  const name = nameOf(part)
  const runs = SHELLS.has(name) || interpreterOf(name) !== null || RUNS_TEXT.has(name)
  if (!runs) return false
  if (part.args.some((word) => word.value === null && /\$\(|`|<\(/.test(word.text))) return true
  const script = part.args.some(
    (word) => word.value === null || (!word.value.startsWith('-') && word.value !== '/dev/stdin'),
  )
  return part.stdin.kind === 'piped' && !script
}

/** What the way of data between the parts of a command adds to the parts themselves. */
export function rateDataFlow(
  parts: readonly FlowPart[],
): readonly { readonly index: number; readonly finding: RiskFinding }[] {
  const found: { index: number; finding: RiskFinding }[] = []
  const fetches = parts.some(({ part }) => DOWNLOADS.has(nameOf(part)))
  const decodes = parts.some(({ part }) => DECODES.has(nameOf(part)))
  const written = new Map<string, 'fetched' | 'written'>()
  parts.forEach(({ part, paths }, index) => {
    const add = (one: RiskFinding) => found.push({ index, finding: one })
    const code = (fetches || decodes) && takesCode(part)
    if (code && fetches) add(finding('critical', 'flow.download-run', 'runs code straight from the network'))
    else if (code) add(finding('critical', 'flow.decode-run', 'runs code that was hidden by an encoding'))
    const run = paths.find(
      (path) => path.at !== null && written.has(path.at) && (path.use === 'execute' || runsFiles(part)),
    )
    if (run?.at != null) {
      const fetched = written.get(run.at) === 'fetched'
      add(
        finding(
          fetched ? 'critical' : 'high',
          fetched ? 'flow.download-run' : 'flow.write-run',
          fetched ? 'downloads a file and runs it' : 'writes a file and runs it',
          'unknown',
        ),
      )
    }
    remember(part, paths, written)
    if (leaks(part, paths, parts)) add(finding('critical', 'flow.exfiltration', 'sends credentials to the network'))
    if (bombs(part)) add(finding('critical', 'flow.fork-bomb', 'starts itself over and over until the machine stops'))
  })
  return found
}

function runsFiles(part: CommandPart): boolean {
  const name = nameOf(part)
  return SHELLS.has(name) || interpreterOf(name) !== null || RUNS_TEXT.has(name) || name === 'chmod'
}

function remember(part: CommandPart, paths: readonly LocatedPath[], written: Map<string, 'fetched' | 'written'>): void {
  const fetched = DOWNLOADS.has(nameOf(part))
  for (const path of paths) {
    if (path.use !== 'write' || path.at === null || path.soft) continue
    if (fetched || !written.has(path.at)) written.set(path.at, fetched ? 'fetched' : 'written')
  }
}

/** A secret read by the sender itself, or printed into it. */
function leaks(part: CommandPart, paths: readonly LocatedPath[], parts: readonly FlowPart[]): boolean {
  if (!SINKS.has(nameOf(part))) return false
  if (paths.some(isSecretRead)) return true
  const fed =
    part.stdin.kind === 'piped' || part.args.some((word) => word.value === null && /\$\(|`|<\(/.test(word.text))
  return (
    fed &&
    parts.some(
      (other) =>
        other.part !== part &&
        (other.paths.some(isSecretRead) ||
          (/^(?:env|printenv)$/.test(nameOf(other.part)) && other.part.args.length === 0)),
    )
  )
}

function isSecretRead(path: LocatedPath): boolean {
  return path.use === 'read' && path.place === 'credentials' && !path.soft && path.at !== null && !isPublicHalf(path.at)
}

function bombs(part: CommandPart): boolean {
  return part.program !== null && part.stdin.kind === 'piped' && part.via.includes(`function ${part.program}`)
}
