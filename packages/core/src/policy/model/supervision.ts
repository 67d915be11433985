/** All supervisions, loosest first. */
export const SUPERVISIONS = ['automatic', 'notify', 'confirm', 'manual', 'deny'] as const

/** How closely a call is supervised, loosest first. */
export type Supervision = (typeof SUPERVISIONS)[number]

/** The rank of a supervision; higher is stricter. */
export function supervisionRank(supervision: Supervision): number {
  return SUPERVISIONS.indexOf(supervision)
}

export function strictest(supervisions: Iterable<Supervision>): Supervision {
  let top: Supervision = 'automatic'
  for (const one of supervisions) if (supervisionRank(one) > supervisionRank(top)) top = one
  return top
}
