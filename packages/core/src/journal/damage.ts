/** What can be wrong with a journal. Each kind is reported for the first entry it touches. */
export const DAMAGE = {
  changed: 'its text is not what was written',
  missing: 'it is gone',
  doubled: 'it is a copy of an earlier entry',
  swapped: 'it stands in another’s place',
  truncated: 'it and all after it are gone',
  'rolled-back': 'the whole journal was put back to an earlier state',
  rebuilt: 'the journal was written anew: no signed checkpoint fits it',
  forked: 'the journal was written anew after the last signed checkpoint that fits',
  'bad-signature': 'a checkpoint is not signed by the gate’s key',
  'head-mismatch': 'the stored head does not belong to the entries',
  'not-canonical': 'its text is not a canonical entry',
} as const

/** In which way a journal is damaged. */
export type DamageKind = keyof typeof DAMAGE

/** The first thing that is wrong with a journal, and where. */
export interface Damage {
  readonly kind: DamageKind
  /** The first bad entry, or the first that may be bad. */
  readonly seq: number
  /** The last that may be bad: equal to `seq` when the entry is known exactly. */
  readonly through: number
  /** One line for people. */
  readonly message: string
}

/** A damage with its sentence. */
export function damage(kind: DamageKind, seq: number, through = seq, more = ''): Damage {
  const where = seq === through ? `entry ${seq}` : `entries ${seq} to ${through}`
  return { kind, seq, through, message: `${where}: ${kind}, ${DAMAGE[kind]}${more === '' ? '' : ` (${more})`}` }
}
