import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { readUpTo, systemCode } from '../files/private-file.ts'
import { accountId } from '../system/os-account.ts'

const MAX_BYTES = 262_144
export const MAX_FILES = 256
/** Files of own knowledge in one layer. */
export const MAX_KNOWLEDGE = 64

/** Whom a layer's files must belong to before they are believed. */
export type LayerTrust =
  /** An organisation's: this user's (root) alone, folders too. */
  | { readonly kind: 'managed'; readonly owner: number }
  /** The person's own: theirs or root's, not open to everyone. */
  | { readonly kind: 'user' }
  /** A project's: anybody's, but only what lies in the folder itself. */
  | { readonly kind: 'project' }

/** One policy file of a layer, or one of its knowledge. */
export interface LayerFile {
  readonly path: string
  readonly form?: 'knowledge'
  readonly text: string
}

/** A file, or the whole folder, that is there and cannot be read. */
export interface UnreadFile {
  readonly path: string
  readonly form?: 'knowledge'
  readonly error: unknown
}

/** Reads `policy.yaml` (or `.yml`), `policy.d/*` and `knowledge/*` of one folder, in sorted order. CS_POLICY_READ when one cannot be read. */
export function readLayer(folder: string, trust: LayerTrust): readonly LayerFile[] {
  return lookAtLayer(folder, trust).map((file) => {
    if ('error' in file) throw file.error
    return file
  })
}

/** The same, with what cannot be read beside what can. */
export function lookAtLayer(folder: string, trust: LayerTrust): readonly (LayerFile | UnreadFile)[] {
  const attempt = <T>(path: string, work: () => T): T | UnreadFile => {
    try {
      return work()
    } catch (error) {
      return { path, error }
    }
  }
  const paths = attempt(folder, () => layerPaths(folder, trust))
  if ('error' in paths) return [paths]
  const drop = join(folder, 'knowledge')
  const taught = attempt(drop, () => droppedPaths(drop, trust, MAX_KNOWLEDGE, 'knowledge'))
  return [
    ...paths.map((path) => attempt(path, () => ({ path, text: readPolicy(path, trust) }))),
    ...('error' in taught
      ? [{ ...taught, form: 'knowledge' as const }]
      : taught.map((path) => ({
          ...attempt(path, () => ({ path, text: readPolicy(path, trust) })),
          form: 'knowledge' as const,
        }))),
  ]
}

function layerPaths(folder: string, trust: LayerTrust): readonly string[] {
  if (!isPresent(folder)) return []
  checkFolder(folder, trust)
  const main = ['policy.yaml', 'policy.yml'].map((name) => join(folder, name)).filter(isPresent)
  if (main.length > 1)
    throw new CountersignError('CS_POLICY_READ', `\`${folder}\` has both \`policy.yaml\` and \`policy.yml\`; keep one`)
  return [...main, ...droppedPaths(join(folder, 'policy.d'), trust, MAX_FILES, 'policy')]
}

/** The files of a folder below a layer's, in sorted order. */
function droppedPaths(drop: string, trust: LayerTrust, most: number, what: string): readonly string[] {
  if (!isPresent(dirname(drop)) || !isPresent(drop)) return []
  checkFolder(drop, trust)
  const names = reading(drop, () => readdirSync(drop)).filter(isPolicyName)
  if (names.length > most)
    throw new CountersignError('CS_POLICY_READ', `\`${drop}\` has more than ${most} ${what} files; merge some`)
  return names.sort().map((name) => join(drop, name))
}

/** Hidden files are editors' own (locks, swap files). */
export function isPolicyName(name: string): boolean {
  return !name.startsWith('.') && /\.ya?ml$/i.test(name)
}

/** A dangling symlink is present: it is reported, not passed over. */
function isPresent(path: string): boolean {
  return reading(path, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined
}

function checkFolder(path: string, trust: LayerTrust): void {
  const stats = reading(path, () => (trust.kind === 'project' ? lstatSync(path) : statSync(path)))
  if (!stats.isDirectory()) throw new CountersignError('CS_POLICY_READ', `\`${path}\` is not a folder; move it away`)
  checkOwner(path, stats, trust)
}

function readPolicy(path: string, trust: LayerTrust): string {
  // SECURITY: A27 a repository's symlink could name any file of this account; errors quote what they read.
  const follow = trust.kind === 'project' ? constants.O_NOFOLLOW : 0
  const fd = reading(path, () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | follow))
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw new CountersignError('CS_POLICY_READ', `\`${path}\` is not a regular file; move it away`)
    checkOwner(path, stats, trust)
    const bytes = reading(path, () => readUpTo(fd, MAX_BYTES + 1))
    if (bytes.length > MAX_BYTES)
      throw new CountersignError('CS_POLICY_TOO_LARGE', `\`${path}\` is over 256 KiB; split it into several files`)
    return decode(path, bytes)
  } finally {
    closeSync(fd)
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new CountersignError('CS_POLICY_READ', `\`${path}\` is not UTF-8 text; save it as UTF-8`, { cause: error })
  }
}

function checkOwner(path: string, stats: Stats, trust: LayerTrust): void {
  if (trust.kind === 'project') return
  const owners = trust.kind === 'managed' ? [trust.owner] : [accountId(), 0]
  if (!owners.includes(stats.uid))
    throw new CountersignError(
      'CS_POLICY_READ',
      `\`${path}\` belongs to another user; run \`chown ${owners[0]} ${path}\``,
    )
  if ((stats.mode & (trust.kind === 'managed' ? 0o022 : 0o002)) !== 0)
    throw new CountersignError('CS_POLICY_READ', `\`${path}\` can be written by others; run \`chmod go-w ${path}\``)
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const code = systemCode(error)
    const fix =
      code === 'ELOOP' ? 'it is a symlink; put the file itself there' : `${code}; make it readable or move it away`
    throw new CountersignError('CS_POLICY_READ', `\`${path}\` cannot be read: ${fix}`, { cause: error })
  }
}
