import type { Crypto } from '@countersign/core'
import type { Home } from '@countersign/node'
import type { ServerTarget } from '../../identity/server-identity.ts'
import { serverIdentity } from '../../identity/server-identity.ts'
import { labelOf, serverLabel } from '../../identity/server-label.ts'
import { foldLabel } from '../../pins/label-files.ts'
import { knownLabels, type LabelView, viewLabel } from '../../pins/view.ts'
import { openConfig, type PlacedFile } from '../config/client-files.ts'
import { readBackup } from '../entry/backups.ts'
import type { GateLine } from '../entry/command-line.ts'
import { type Gates, gateStatusOf } from '../entry/gate-status.ts'
import { targetOf } from '../entry/server-target.ts'

/** Assigns the names by which policies and pins know servers. */
export interface Labels {
  /** The label for a server: its name, or a variant when another server has it. The same server always gets the same label. */
  labelFor(name: string, inner: ServerTarget, file: PlacedFile): string
  /** Who owns the name of a gate that `wrap` did not write: another entry, or `pins`; null for nobody. */
  conflictOf(line: GateLine, file: PlacedFile): LabelClaim | 'pins' | null
  /** Gates that `wrap` did not write and that use this label for another server. */
  impostorsOf(label: string, inner: ServerTarget): readonly LabelClaim[]
}

/** The servers that have a label, by identity. */
interface Holders {
  readonly all: Set<string>
  /** Those whose tools were accepted under it; they may share it. */
  readonly accepted: Set<string>
}

/**
 * Tracks which labels are free. Taken are those that `wrap` assigned in these files, and those with pinned tools: another server
 * under such a name would start in quarantine. SECURITY: A20 rules go by label, so a configuration from a repository must not
 * choose who has one: a gate that `wrap` did not write takes no label from anybody, and servers of a project take none that is in
 * the person's own files.
 */
export function openLabels(
  home: Home,
  files: readonly PlacedFile[],
  gates: Gates,
  crypto: Pick<Crypto, 'sha256' | 'verify'>,
): Labels {
  const taken = new Map<string, Holders>()
  const holdersOf = (label: string): Holders => {
    const holders = taken.get(foldLabel(label)) ?? { all: new Set(), accepted: new Set() }
    taken.set(foldLabel(label), holders)
    return holders
  }
  for (const label of knownLabels(home)) addPinned(holdersOf(label), viewLabel(home, label, crypto))
  const hold = (label: string, hash: string) => holdersOf(label).all.add(hash)
  const claims = claimsIn(files, home, gates, crypto)
  for (const { kind, label, hash } of claims) if (kind === 'kept') hold(label, hash)
  const others = (label: string, hash: string): readonly LabelClaim[] =>
    claims.filter((claim) => foldLabel(claim.label) === foldLabel(label) && claim.hash !== hash)
  const hashOf = (inner: ServerTarget): string => serverIdentity(inner, crypto).hash

  return {
    labelFor(name, inner, file) {
      const wanted = labelOf(name)
      const hash = hashOf(inner)
      const isFree = (label: string): boolean =>
        isFreeFor(taken.get(foldLabel(label)), hash) &&
        (isOwn(file) || !others(label, hash).some((other) => other.isOwn))
      let label = wanted
      for (let at = 2; !isFree(label); at++) label = `${wanted}-${at}`
      hold(label, hash)
      return label
    },
    conflictOf(line, file) {
      const label = lineLabel(line)
      if (label === null) return null
      const hash = hashOf(line.inner)
      const [rival] = others(label, hash).filter((other) => other.kind === 'kept' || other.isOwn || !isOwn(file))
      const holders = taken.get(foldLabel(label))
      // Only the person's own files may keep a label by earlier acceptance: a project may just have been opened first.
      if (isOwn(file) && holders?.accepted.has(hash) === true) return null
      return rival ?? (isFreeFor(holders, hash) ? null : 'pins')
    },
    impostorsOf: (label, inner) => others(label, hashOf(inner)).filter(({ kind }) => kind === 'gate'),
  }
}

function isFreeFor(holders: Holders | undefined, hash: string): boolean {
  if (holders === undefined || holders.accepted.has(hash)) return true
  return [...holders.all].every((one) => one === hash)
}

function addPinned({ all, accepted }: Holders, { broken, servers }: LabelView): void {
  if (broken !== null) all.add('unreadable')
  for (const { identity, firstAt, tools } of servers) {
    const known = identity.folderless ?? identity.hash
    all.add(known)
    if (firstAt !== null || tools.some((tool) => tool.accepted !== null)) accepted.add(known)
  }
}

/** A label that a server entry has, claims, or would get. */
interface LabelClaim {
  /**
   * `kept`: `wrap` assigned it, by our record. `gate`: claimed by a gate without a record. `server`: the name of a server that
   * is not behind the gate.
   */
  readonly kind: 'kept' | 'gate' | 'server'
  readonly label: string
  /** The identity of the server. */
  readonly hash: string
  /** Its name in the client, and the file. Untrusted text. */
  readonly name: string
  readonly path: string
  /** Whether the file is the person's own; a project's may come with a repository. */
  readonly isOwn: boolean
}

/** The claims of all servers in these files. Unreadable files are skipped here; wrapping them reports the error. */
function claimsIn(
  files: readonly PlacedFile[],
  home: Home,
  gates: Gates,
  crypto: Pick<Crypto, 'sha256'>,
): readonly LabelClaim[] {
  return files.flatMap((file) => {
    try {
      return claimsOf(file, home, gates, crypto)
    } catch {
      return []
    }
  })
}

function claimsOf(placed: PlacedFile, home: Home, gates: Gates, crypto: Pick<Crypto, 'sha256'>): readonly LabelClaim[] {
  const opened = openConfig(placed)
  if (opened === undefined) return []
  const { config, file } = opened
  const record = readBackup(home, file.path)
  return config.entries.flatMap((entry): readonly LabelClaim[] => {
    const about = { name: entry.name, path: file.path, isOwn: isOwn(placed) }
    const status = gateStatusOf(entry, config, placed, gates, record)
    if (status.kind === 'gated') {
      const label = lineLabel(status.line)
      const { hash } = serverIdentity(status.line.inner, crypto)
      return label === null ? [] : [{ ...about, kind: status.recorded === null ? 'gate' : 'kept', label, hash }]
    }
    const inner = targetOf(entry.data, placed.client.shape)
    if (inner === null) return []
    return [{ ...about, kind: 'server', label: labelOf(entry.name), hash: serverIdentity(inner, crypto).hash }]
  })
}

/** The label that a gate would give its server, with or without `--name`; null when it could not start. */
export function lineLabel({ label, inner }: GateLine): string | null {
  try {
    return serverLabel(label ?? undefined, 'url' in inner ? [new URL(inner.url).hostname] : inner.command)
  } catch {
    return null
  }
}

function isOwn({ place }: Pick<PlacedFile, 'place'>): boolean {
  return place.base !== 'project'
}
