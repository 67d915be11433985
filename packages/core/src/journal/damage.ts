/** The kinds of damage to a journal. Each is reported for the first entry it affects. */
export const DAMAGE = {
  changed: 'its text was changed',
  missing: 'it was removed',
  doubled: 'it is a copy of an earlier entry',
  swapped: 'it is in the place of another entry',
  truncated: 'it and all later entries were removed',
  'rolled-back': 'the journal was restored to an earlier state',
  rebuilt: 'the journal was rewritten: no signed checkpoint fits it',
  forked: 'the journal was rewritten after the last signed checkpoint that fits',
  'bad-signature': 'a checkpoint is not signed by the gate’s key',
  'head-mismatch': 'the stored head does not match the entries',
  'not-canonical': 'its text is not canonical JSON of an entry',
} as const

/** One of `DAMAGE`. */
export type DamageKind = keyof typeof DAMAGE

/** The first damage to a journal, and where it is. */
export interface Damage {
  readonly kind: DamageKind
  /** The first entry that is, or may be, bad. */
  readonly seq: number
  /** The last entry that may be bad; equal to `seq` when it is known exactly. */
  readonly through: number
  /** One line for people. */
  readonly message: string
}

/** Makes a damage and its message. */
export function damage(kind: DamageKind, seq: number, through = seq, more = ''): Damage {
  const where = seq === through ? `entry ${seq}` : `entries ${seq} to ${through}`
  return { kind, seq, through, message: `${where}: ${kind}, ${DAMAGE[kind]}${more === '' ? '' : ` (${more})`}` }
}
