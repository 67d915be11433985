import type { Crypto } from '../../ports/crypto.ts'
import type { PolicySet } from '../model/rule.ts'
import { qualifyIds } from './layer-rules.ts'
import { lowestDemand } from './passkey-requirement.ts'
import { strictestRow } from './strictest-preset-row.ts'

/**
 * The last good policy while a file is bad, with all that the files which do load forbid, raise, limit or demand since
 * then. INVARIANT: L2 L4, it is never looser than the last good one, nor than a deny that a person has just written.
 * The last good one itself where nothing is new.
 */
export function tightenedPolicy(good: PolicySet, rest: PolicySet, crypto: Crypto): PolicySet {
  const passkeyFrom = lowestDemand([good.passkeyFrom, rest.passkeyFrom])
  const both = strictestRow(good.row.preset, [good.row, rest.row])
  const row =
    JSON.stringify(both) === JSON.stringify(good.row)
      ? good.row
      : { ...both, preset: `${both.preset}+${rest.row.preset}` }
  const rules = unknownTo(
    good.rules,
    rest.rules.filter(({ floor, supervision }) => floor || supervision === 'deny'),
  )
  const limits = unknownTo(good.limits, rest.limits)
  if (rules.length + limits.length === 0 && row === good.row && passkeyFrom === good.passkeyFrom) return good
  const programs = good.programs ?? []
  const names = new Set(programs.map(({ name }) => name))
  return {
    ...good,
    rules: qualifyIds([...good.rules, ...rules]),
    row,
    limits: [...good.limits, ...limits],
    programs: [...programs, ...(rest.programs ?? []).filter(({ name }) => !names.has(name))],
    ...(passkeyFrom === undefined ? {} : { passkeyFrom }),
    hash: crypto.sha256(JSON.stringify(['countersign/policy/v1', 'tightened', good.hash, rest.hash])),
  }
}

/** Those that are not there yet, whatever their line and name are now. */
function unknownTo<T extends { readonly line: number }>(known: readonly T[], given: readonly T[]): readonly T[] {
  const keyOf = (one: T): string => JSON.stringify({ ...one, id: null, line: null })
  const keys = new Set(known.map(keyOf))
  return given.filter((one) => !keys.has(keyOf(one)))
}
