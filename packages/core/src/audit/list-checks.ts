import type { JournalEntry } from '../journal/entry.ts'
import type { BundleGates } from './bundle-gates.ts'
import { BUNDLE_FILES, damaged } from './bundle-manifest.ts'

/** Compares the versions of the list of gates with the entries that record them. */
export function createListChecks({ digests }: Pick<BundleGates, 'digests'>) {
  const entries = new Map<number, number>()
  let newest = 0
  return {
    take(entry: JournalEntry): void {
      if (entry.kind !== 'gates-changed') return
      const version = Number(entry['version'])
      if (newest > 0 && version !== newest + 1)
        throw damaged(BUNDLE_FILES.gates, `entry ${entry.seq} does not follow version ${newest} of the list of gates`)
      if (digests[version - 1] !== entry['list'])
        throw damaged(BUNDLE_FILES.gates, `version ${version} is not the one that entry ${entry.seq} records`)
      newest = version
      entries.set(version, entry.seq)
    },
    /** The entries by version. Those of the oldest versions may be in archives that were deleted. */
    end(): ReadonlyMap<number, number> {
      if (newest !== digests.length && digests.length > 0)
        throw damaged(BUNDLE_FILES.gates, `no entry records version ${digests.length}`)
      return entries
    },
  }
}
