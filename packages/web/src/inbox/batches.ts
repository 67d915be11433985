import { batchPlaceOf, factsOf, type HeldCall, MAX_BATCH, sha256 } from '@countersign/react'

/** Held calls that differ in their arguments only: they may be decided together, each with its own signature. */
export interface Batch {
  /** Short enough for an address. */
  readonly id: string
  readonly key: string
  readonly rule: string
  readonly risk: string
  readonly tool: string
  /** Outermost first. */
  readonly agent: readonly string[]
  /** As many as one act decides, soonest deadline first. */
  readonly views: readonly HeldCall[]
  /** How many more there are, for the next act. */
  readonly more: number
  /** Their like, with why each is decided alone. */
  readonly alone: readonly { readonly call: HeldCall; readonly why: string }[]
}

/** DESIGN §7: together only what is equal, up to medium, and nothing that a check complains of. */
export function batchesOf(held: readonly HeldCall[]): readonly Batch[] {
  const groups = new Map<string, { readonly views: HeldCall[]; readonly alone: { call: HeldCall; why: string }[] }>()
  for (const call of held) {
    const place = batchPlaceOf(call)
    if (place === null) continue
    const group = groups.get(place.key) ?? { views: [], alone: [] }
    groups.set(place.key, group)
    if (place.alone === null) group.views.push(call)
    else group.alone.push({ call, why: place.alone })
  }
  return [...groups].flatMap(([key, { views, alone }]): readonly Batch[] => {
    const [first] = views
    const facts = first === undefined ? null : factsOf(first)
    if (first === undefined || facts === null || views.length < 2) return []
    return [
      {
        id: sha256(key).slice(0, 16),
        key,
        rule: facts.rule.id,
        risk: first.risk.level,
        tool: facts.tool,
        agent: facts.agent,
        views: views.slice(0, MAX_BATCH),
        more: Math.max(0, views.length - MAX_BATCH),
        alone,
      },
    ]
  })
}
