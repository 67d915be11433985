import { dirname, resolve } from 'node:path'
import { refusedText, type SandboxRefusal, safeText } from '@countersign/core'
import { isWithin } from './profile/visible-files.ts'
import type { Excess } from './watch-limits.ts'
import type { Restored } from './workspace/restore-protected.ts'

/** What the sandbox did in a run. */
export interface SandboxReport {
  readonly refused: readonly SandboxRefusal[]
  /** Protected names that the run created or replaced, and that were put back. The run counts as failed. */
  readonly restored: readonly Restored[]
  /** The limit that ended the run. */
  readonly stopped: Excess | null
  /** One line for the agent; null when there is nothing to tell. */
  readonly line: string | null
}

/** What the messages of a failed run are compared with. */
export interface Surroundings {
  readonly cwd: string
  /** Folders that it could write. */
  readonly written: readonly string[]
  /** Paths that it could see but neither write nor rename. */
  readonly guarded: readonly string[]
  readonly home: string
  /** Folders that it could see. */
  readonly visible: readonly string[]
}

const MOST_REFUSALS = 8
const QUOTED = /['"`‘“]([^'"`’”\n]{1,400})['"`’”]/
const PLAIN = /^\s*(?:cannot \w+ )?(?!E[A-Z]+$)([^\s'"()]{1,400})$/
const REASON =
  /read-only file system|device or resource busy|(?:invalid )?cross-device link|no such file or directory|operation not permitted|permission denied/i

/** Looks for signs of the sandbox in the last output of a failed command. */
export function findRefusals(
  output: string,
  { cwd, written, guarded, home, visible }: Surroundings,
): readonly SandboxRefusal[] {
  const found = new Map<string, SandboxRefusal>()
  const add = (kind: SandboxRefusal['kind'], what: string, certainty: SandboxRefusal['certainty']): void => {
    if (found.size < MOST_REFUSALS && !found.has(`${kind} ${what}`))
      found.set(`${kind} ${what}`, { kind, what, certainty })
  }
  const isGuarded = (path: string): boolean => guarded.some((one) => isWithin(path, one) || isWithin(one, path))
  // Of the home, only some folders are there; elsewhere, what the sandbox does not show.
  const isHidden = (path: string): boolean => {
    if (written.some((folder) => isWithin(path, folder))) return false
    return isWithin(path, home) || !(dirname(path) === '/' || visible.some((folder) => isOwn(path, folder)))
  }
  for (const line of output.split('\n')) {
    const path = pathIn(line, cwd)
    if (/read-only file system|\bEROFS\b/i.test(line)) {
      const isOutside = path !== undefined && !written.some((folder) => isWithin(path, folder))
      add('write', path ?? 'a file', path !== undefined && (isOutside || isGuarded(path)) ? 'strong' : 'medium')
    } else if (/device or resource busy|\bEBUSY\b/i.test(line) && path !== undefined)
      add('write', path, isGuarded(path) ? 'strong' : 'weak')
    else if (/cross-device link|\bEXDEV\b/i.test(line)) add('write', path ?? 'a file', 'medium')
    else if (/no such file or directory|\bENOENT\b/i.test(line) && path !== undefined) {
      if (path.startsWith('/dev/') || path.startsWith('/sys/')) add('device', path, 'medium')
      else if (isHidden(path)) add('read', path, 'medium')
    } else if (/operation not permitted|permission denied|\bEPERM\b|\bEACCES\b/i.test(line) && path !== undefined)
      add(path.startsWith('/dev/') ? 'device' : 'write', path, 'weak')
    else {
      const host = hostIn(line)
      if (host !== undefined) add('host', host, 'medium')
    }
  }
  return [...found.values()]
}

/** A server of this machine that a command names. */
const LOCAL_SERVER = /(?<![\w.-])(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(?![\w.-])/i

/** Programs such as `curl -s` fail without a word if a server of this machine is out of reach. */
export function silentRefusal(command: string, output: string): readonly SandboxRefusal[] {
  const server = output.trim() === '' ? LOCAL_SERVER.exec(command)?.[0] : undefined
  return server === undefined ? [] : [{ kind: 'host', what: server.toLowerCase(), certainty: 'medium' }]
}

/** In a private folder, such as the temporary one, a command may make names of its own; those below others' are not there. */
function isOwn(path: string, folder: string): boolean {
  return folder === PRIVATE_TEMP ? dirname(path) === PRIVATE_TEMP : isWithin(path, folder)
}

const PRIVATE_TEMP = '/tmp'

const HOSTS: readonly RegExp[] = [
  /could not resolve host(?:name)?:? ([\w.-]+)/i,
  /(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ECONNREFUSED) ([\w.:-]+)/,
  /(?:failed to connect to|couldn't connect to server.*?|unable to connect to|connect to(?: host)?) ([\w.-]+)/i,
  /unable to resolve host address ['‘"]([\w.-]+)/i,
  /host='([\w.-]+)'/,
  /connection to server at "([\w.-]+)"/,
  /lookup ([\w.-]+)(?: on [^:]+)?: /,
]

function hostIn(line: string): string | undefined {
  for (const shape of HOSTS) {
    const host = shape.exec(line)?.[1]
    if (host !== undefined) return host.toLowerCase()
  }
  // In the sandbox, only its own loopback answers so.
  if (/connection refused|\bECONNREFUSED\b/i.test(line)) return 'localhost'
  return /network is unreachable|temporary failure in name resolution|name or service not known/i.test(line)
    ? 'the network'
    : undefined
}

/** The path in a message: in quotes, or the part right before the reason, as in `sh: 1: /etc/x: Read-only file system`. */
function pathIn(line: string, cwd: string): string | undefined {
  const reason = REASON.exec(line)
  const before = line.slice(0, reason?.index ?? line.length).replace(/[:\s([]+$/, '')
  const part = before.slice(before.lastIndexOf(': ') + 1)
  const path = QUOTED.exec(part)?.[1] ?? PLAIN.exec(part)?.[1] ?? QUOTED.exec(line)?.[1]
  return path === undefined ? undefined : resolve(cwd, path)
}

const STOPPED: Readonly<Record<Excess, string>> = {
  processes: 'it started too many processes',
  memory: 'it used too much memory',
  disk: 'it filled the disk',
  output: 'it printed too much',
}

/** The line for the agent: the surest finding first, and what to do. */
export function reportLine(report: Omit<SandboxReport, 'line'>): string | null {
  const [restored] = report.restored
  const remaining = report.restored.find(({ remains }) => remains)
  if (remaining !== undefined)
    return `sandbox: \`${safeText(remaining.path)}\` is protected and could not be removed; tell the user to delete it`
  if (restored !== undefined) return `sandbox: \`${safeText(restored.path)}\` is protected; the change was undone`
  if (report.stopped !== null) return `sandbox: the command was stopped: ${STOPPED[report.stopped]}`
  const refusal = report.refused.find(({ certainty }) => certainty !== 'weak')
  if (refusal === undefined) return null
  if (refusal.kind === 'start') return `sandbox: the command did not run: ${safeText(refusal.what)}`
  return `sandbox: ${safeText(refusedText(refusal))}`
}
