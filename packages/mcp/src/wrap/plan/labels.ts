import type { Crypto } from '@countersign/core'
import type { Home } from '@countersign/node'
import { serverIdentity } from '../../identity/server-identity.ts'
import { labelOf } from '../../identity/server-label.ts'
import { foldLabel } from '../../pins/label-files.ts'
import { knownLabels, type LabelView, viewLabel } from '../../pins/view.ts'
import type { PlacedFile } from '../config/placed-file.ts'
import type { Inner } from '../entry/command-line.ts'
import type { GateLine } from '../entry/command-line-parser.ts'
import type { Gates } from '../entry/gate-status.ts'
import { claimsIn, isOwn, type LabelClaim, lineLabel } from './label-claims.ts'

/** Gives servers the names that policies and pins know them by. */
export interface Labels {
  /** A label for a server: its own name, unless another server has that already. The same server gets the same one. */
  labelFor(name: string, inner: Inner, file: PlacedFile): string
  /** Who else has, or should have, the name of a gate that `wrap` did not write: where, or `pins`; null for nobody. */
  rivalOf(line: GateLine, file: PlacedFile): LabelClaim | 'pins' | null
  /** Gates that `wrap` did not write, and that call another server by this label. */
  posersFor(label: string, inner: Inner): readonly LabelClaim[]
}

/** Who has a label: servers by their identity. */
interface Holders {
  readonly all: Set<string>
  /** Those whose tools were accepted under it: they may share it. */
  readonly accepted: Set<string>
}

/**
 * The labels that are free. Taken are those that `wrap` gave in one of these files, and those that tools were met under:
 * another server under such a name would begin in quarantine. SECURITY: A20 rules are written for a label, so a configuration
 * that comes with a repository must not choose who has it: a gate that `wrap` did not write takes none from anybody, and the
 * servers of a project take none that one of the person's own files has.
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
  const hashOf = (inner: Inner): string => serverIdentity(inner, crypto).hash

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
    rivalOf(line, file) {
      const label = lineLabel(line)
      if (label === null) return null
      const hash = hashOf(line.inner)
      const [rival] = others(label, hash).filter((other) => other.kind === 'kept' || other.isOwn || !isOwn(file))
      const holders = taken.get(foldLabel(label))
      // What a person's own file says, and has been met so, stays; a project may have been met first by being opened first.
      if (isOwn(file) && holders?.accepted.has(hash) === true) return null
      return rival ?? (isFreeFor(holders, hash) ? null : 'pins')
    },
    posersFor: (label, inner) => others(label, hashOf(inner)).filter(({ kind }) => kind === 'gate'),
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
