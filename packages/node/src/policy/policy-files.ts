import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type PolicyFile, type PolicyFiles } from '@countersign/core'
import { openApprovers } from '../approvers/approver-registry.ts'
import { isSameFile } from '../files/file-identity.ts'
import { systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { isPolicyName, type LayerFile, lookAtLayer, MAX_FILES, type UnreadFile } from './layer-reader.ts'
import { openParsedFiles } from './parsed-files.ts'
import { openPolicyVersions } from './policy-versions.ts'
import { digestOf, isTrusted, projectFolder } from './project-trust.ts'
import { rulesPath, signedOnly } from './rules-file.ts'

/** Where policy is looked for. */
export interface PolicyPlaces {
  readonly home: Home
  /** The workspace's real path (see `openWorkspace`). */
  readonly workspace: string
  /** The organisation's folder and the user it must belong to; `/etc/countersign` and root unless a test says otherwise. */
  readonly managed?: { readonly folder: string; readonly owner: number }
  /** Files that the process itself brings, with the power of a managed file: they only tighten. */
  readonly floors?: readonly { readonly path: string; readonly text: string }[]
  /** The build whose results of parsing are kept in the home; none are kept without it. */
  readonly build?: string
}

declare const COUNTERSIGN_BUILD: string | undefined

/** This build of the command. Sources and libraries have none: their parts can change one by one. */
const BUILD = typeof COUNTERSIGN_BUILD === 'string' ? COUNTERSIGN_BUILD : undefined

/** The policy files of all layers: managed, the person's, the project's. */
export function openPolicyFiles(places: PolicyPlaces): PolicyFiles {
  const { home, workspace } = places
  const managed = places.managed ?? { folder: '/etc/countersign', owner: 0 }
  const project = projectFolder(workspace)
  const build = places.build ?? BUILD
  const signed = rulesPath(home)
  const verifying = () => ({ approvers: openApprovers(home), crypto: openCrypto(home) })
  let last = { organisation: '', own: '', shared: '', pins: '', version: '' }
  return Object.freeze({
    ...(build === undefined ? {} : { parsed: openParsedFiles(home, build) }),
    versions: openPolicyVersions(home),
    version: () => {
      const shared = layerSignature(project)
      // Rules count while the approver who signed them is enrolled.
      const signers = fileSignature(signed) === 'absent' ? '' : fileSignature(home.approvers)
      const pins = `${shared === 'absent' ? shared : fileSignature(home.trust)}${signers}`
      const organisation = layerSignature(managed.folder)
      const own = layerSignature(home.dir)
      // Usually the same texts as in the last check: joining them again would cost as much as the check.
      const isSame =
        last.own === own && last.shared === shared && last.organisation === organisation && last.pins === pins
      if (!isSame) last = { organisation, own, shared, pins, version: `${organisation}/${own}/${shared}/${pins}` }
      return last.version
    },
    read: async (): Promise<readonly PolicyFile[]> => [
      ...(places.floors ?? []).map((file) => asPolicy('managed', file)),
      ...lookAtLayer(managed.folder, { kind: 'managed', owner: managed.owner }).map((file) =>
        asPolicy('managed', file),
      ),
      ...(await Promise.all(
        lookAtLayer(home.dir, { kind: 'user' })
          .map((file) => asPolicy('user', file))
          .map((file) => (file.name === signed ? signedOnly(file, verifying()) : file)),
      )),
      ...(isSameFolder(project, home.dir) ? [] : readProjectLayer(home, workspace)),
    ],
  })
}

/** Trust is decided on the bytes that were read, never on a second read. If any file cannot be read, none is trusted. */
export function readProjectLayer(home: Home, workspace: string): readonly PolicyFile[] {
  const found = lookAtLayer(projectFolder(workspace), { kind: 'project' })
  const files = found.map((file) => asPolicy('project', file))
  if (files.length === 0 || found.some((file) => 'error' in file)) return files
  try {
    const trusted = isTrusted(home, workspace, digestOf(workspace, found as readonly LayerFile[]))
    return files.map((file) => ({ ...file, trusted }))
  } catch (error) {
    return [...files, asPolicy('project', { path: home.trust, error })]
  }
}

function asPolicy(layer: PolicyFile['layer'], file: LayerFile | UnreadFile): PolicyFile {
  const form = file.form === undefined ? {} : { form: file.form }
  if ('text' in file) return { layer, ...form, name: file.path, text: file.text, trusted: false }
  const { error } = file
  const unreadable = error instanceof CountersignError ? error.message : 'it cannot be read; check its owner and mode'
  return { layer, ...form, name: file.path, text: '', trusted: false, unreadable }
}

function isSameFolder(path: string, real: string): boolean {
  try {
    return realpathSync(path) === real
  } catch {
    return false
  }
}

function fileSignature(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'absent' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}

/** The result of a stat: absent, or the reason it failed. */
type Look = Stats | 'absent' | { readonly error: string }

/** A layer as last read, when one stat of its folder and one of its file show that it is unchanged. */
interface Plain {
  readonly folder: Stats
  readonly path: string
  /** Undefined where none was. */
  readonly file: Stats | undefined
  readonly text: string
}

/** Times of files are coarser than the moments between two changes: a folder younger than this may change unseen. */
const SETTLED_MS = 2000

/** By folder; each call checks three of them. */
const plain = new Map<string, Plain>()
const MOST = 64

/** Changes whenever a policy file of the folder may have; never throws. */
function layerSignature(folder: string): string {
  const last = plain.get(folder)
  if (last !== undefined && isStill(folder, last)) return last.text
  const base = lookAt(folder)
  return base === 'absent' ? base : wholeSignature(folder, base)
}

function isStill(folder: string, { folder: base, path, file }: Plain): boolean {
  try {
    return isSameFile(base, statSync(folder, QUIET)) && isSameFile(file, statSync(path, QUIET))
  } catch {
    return false
  }
}

const QUIET = { throwIfNoEntry: false } as const

function wholeSignature(folder: string, base: Look): string {
  const [yaml, yml] = [join(folder, 'policy.yaml'), join(folder, 'policy.yml')]
  const [long, short] = [lookAt(yaml), lookAt(yml)]
  const drops = ['policy.d', 'knowledge'].map((name) => join(folder, name)).map((path) => [path, lookAt(path)] as const)
  const text = [placeOf(base), fileText(long), fileText(short), ...drops.map(([, look]) => placeOf(look))].join('|')
  plain.delete(folder)
  const dropped = drops.flatMap(([path, look]) => (look === 'absent' ? [] : [path]))
  if (dropped.length > 0)
    return [
      text,
      ...dropped.flatMap((path) => listed(path).flatMap((name) => [name, fileText(lookAt(join(path, name)))])),
    ].join('|')
  // A new file changes its folder's times: while they are the same, absent files are still absent.
  if (isStats(base) && base.ctimeMs + SETTLED_MS < Date.now() && (long === 'absent' || short === 'absent')) {
    const [path, file] = long === 'absent' ? [yml, short] : [yaml, long]
    if (plain.size >= MOST) plain.clear()
    // What could not be looked at is looked at again.
    if (file === 'absent') plain.set(folder, { folder: base, path, file: undefined, text })
    else if (isStats(file)) plain.set(folder, { folder: base, path, file, text })
  }
  return text
}

function lookAt(path: string): Look {
  try {
    return statSync(path, QUIET) ?? 'absent'
  } catch (error) {
    return { error: String(systemCode(error)) }
  }
}

function isStats(look: Look): look is Stats {
  return typeof look === 'object' && !('error' in look)
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(isPolicyName)
      .slice(0, MAX_FILES + 1)
  } catch (error) {
    return [String(systemCode(error))]
  }
}

/** Without times: other files of the folder come and go. */
function placeOf(look: Look): string {
  if (!isStats(look)) return typeof look === 'string' ? look : look.error
  return `${look.dev}:${look.ino}:${look.mode}:${look.uid}`
}

function fileText(look: Look): string {
  if (!isStats(look)) return typeof look === 'string' ? look : look.error
  return `${look.dev}:${look.ino}:${look.size}:${look.mtimeMs}:${look.ctimeMs}`
}
