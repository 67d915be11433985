import type { Crypto } from '@countersign/core'
import type { Home } from '@countersign/node'
import { foldLabel } from '../pins/label-spelling.ts'
import { knownLabels, viewLabel } from '../pins/pin-view.ts'
import { serverIdentity } from '../pins/server-identity.ts'
import type { GateLine } from './gate-line.ts'
import { type Gates, standingOf } from './gate-standing.ts'
import { openConfig, type PlacedFile } from './read-config.ts'
import { readBackup } from './wrapped-files.ts'
import type { Inner } from './wrapped-line.ts'

/** Gives servers the names that policies and pins know them by. */
export interface Labels {
  /** A label for a server: its own name, unless another server has that already. The same server gets the same one. */
  labelFor(name: string, inner: Inner): string
}

/** Who has a label: servers by their identity. */
interface Holders {
  readonly all: Set<string>
  /** Those whose tools were accepted under it: they may share it. */
  readonly accepted: ReadonlySet<string>
}

/**
 * The labels that are free. Taken are those of every server that is behind the gate in one of these files, and those that
 * tools were met under: another server under such a name would begin in quarantine.
 */
export function openLabels(
  home: Home,
  files: readonly PlacedFile[],
  gates: Gates,
  crypto: Pick<Crypto, 'sha256' | 'verify'>,
): Labels {
  const taken = new Map<string, Holders>()
  for (const label of knownLabels(home)) taken.set(foldLabel(label), pinHolders(home, label, crypto))
  const hold = (label: string, hash: string): void => {
    const holders = taken.get(foldLabel(label)) ?? { all: new Set(), accepted: new Set() }
    holders.all.add(hash)
    taken.set(foldLabel(label), holders)
  }
  for (const { label, inner } of files.flatMap((file) => gatedIn(file, home, gates)))
    if (label !== null) hold(label, serverIdentity(inner, crypto).hash)

  return {
    labelFor(name, inner) {
      const wanted = labelOf(name)
      const { hash } = serverIdentity(inner, crypto)
      let label = wanted
      for (let at = 2; !isFree(taken.get(foldLabel(label)), hash); at++) label = `${wanted}-${at}`
      hold(label, hash)
      return label
    },
  }
}

/** A label as `--name` takes it: letters, digits, dots, dashes and underscores. */
export function labelOf(name: string): string {
  const label = name
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 58)
  return label.replace(/-+$/, '') || 'server'
}

function isFree(holders: Holders | undefined, hash: string): boolean {
  if (holders === undefined || holders.accepted.has(hash)) return true
  return [...holders.all].every((one) => one === hash)
}

function pinHolders(home: Home, label: string, crypto: Pick<Crypto, 'sha256' | 'verify'>): Holders {
  const { broken, servers } = viewLabel(home, label, crypto)
  const met = servers.filter(
    ({ firstAt, tools }) => firstAt !== null || tools.some(({ accepted }) => accepted !== null),
  )
  return {
    all: new Set([...servers.map(({ identity }) => identity.hash), ...(broken === null ? [] : ['unreadable'])]),
    accepted: new Set(met.map(({ identity }) => identity.hash)),
  }
}

/** A file that cannot be read takes no label: whoever wraps it is told why it cannot be. */
function gatedIn(placed: PlacedFile, home: Home, gates: Gates): readonly GateLine[] {
  try {
    const opened = openConfig(placed)
    if (opened === undefined) return []
    const { config, file } = opened
    const record = readBackup(home, file.path)
    return config.entries.flatMap((entry): readonly GateLine[] => {
      const standing = standingOf(entry, config, placed, gates, record)
      return standing.kind === 'gated' ? [standing.line] : []
    })
  } catch {
    return []
  }
}
