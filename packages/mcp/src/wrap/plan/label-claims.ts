import type { Crypto } from '@countersign/core'
import type { Home } from '@countersign/node'
import { serverIdentity } from '../../identity/server-identity.ts'
import { labelOf, serverLabel } from '../../identity/server-label.ts'
import { openConfig, type PlacedFile } from '../config/placed-file.ts'
import { readBackup } from '../entry/backups.ts'
import type { GateLine } from '../entry/command-line-parser.ts'
import { type Gates, standingOf } from '../entry/gate-status.ts'
import { placeOf } from '../entry/server-command.ts'

/** A name that a server of a configuration has, says it has, or would have. */
export interface LabelClaim {
  /**
   * `kept`: our own record says that `wrap` gave it. `gate`: a gate that `wrap` has no record of calls itself so.
   * `server`: a server that is not behind the gate is called so.
   */
  readonly kind: 'kept' | 'gate' | 'server'
  readonly label: string
  /** The identity of the server. */
  readonly hash: string
  /** Its name in its client, and the file. Untrusted text. */
  readonly name: string
  readonly path: string
  /** Whether the file is the person's own. A project's may come with a repository. */
  readonly isOwn: boolean
}

/** The claims of all servers in these files. A file that cannot be read has none: whoever wraps it is told why it cannot be. */
export function claimsIn(
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
    const standing = standingOf(entry, config, placed, gates, record)
    if (standing.kind === 'gated') {
      const label = lineLabel(standing.line)
      const { hash } = serverIdentity(standing.line.inner, crypto)
      return label === null ? [] : [{ ...about, kind: standing.kept === null ? 'gate' : 'kept', label, hash }]
    }
    const inner = placeOf(entry.data, placed.client.shape)
    if (inner === null) return []
    return [{ ...about, kind: 'server', label: labelOf(entry.name), hash: serverIdentity(inner, crypto).hash }]
  })
}

/** What a gate calls its server, with or without `--name`; null where it could not be started. */
export function lineLabel({ label, inner }: GateLine): string | null {
  try {
    return serverLabel(label ?? undefined, 'url' in inner ? [new URL(inner.url).hostname] : inner.command)
  } catch {
    return null
  }
}

export function isOwn({ place }: Pick<PlacedFile, 'place'>): boolean {
  return place.base !== 'project'
}
