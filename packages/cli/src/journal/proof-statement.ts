import type { JournalVerdict } from '@countersign/core'

type Intact = Extract<JournalVerdict, { readonly kind: 'intact' }>

/** What an intact journal proves and what it does not: never more than the signed heads reach. */
export function proofWords(verdict: Intact): string {
  const { size, keptTo, signedTo } = verdict
  if (size === 0) return 'proves nothing: there are no entries yet'
  if (keptTo > 0)
    return `proves that entries 1 to ${keptTo} are as they were when a kept head was signed${keptTo < size ? `; not that nothing was lost after entry ${keptTo}` : ''}; not what somebody with the gate’s key and all kept heads could forge`
  if (signedTo > 0)
    return `proves that entries 1 to ${signedTo} fit checkpoints inside the store; not that the store was not put back as a whole: keep a head elsewhere with \`countersign journal checkpoint\``
  return 'proves only that the entries fit each other; no signed head vouches for them yet: sign one with `countersign journal checkpoint`'
}
