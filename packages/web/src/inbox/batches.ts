import { factsOf, type HeldCall, riskRank } from '@countersign/react'

/** Held calls that one rule holds at one low level: they may be approved together, each with its own signature. */
export interface Batch {
  readonly key: string
  readonly rule: string
  readonly risk: string
  readonly views: readonly HeldCall[]
}

/** DESIGN §7: batch approval only for equal rule and risk up to medium, and never under manual supervision. */
export function batchesOf(held: readonly HeldCall[]): readonly Batch[] {
  const groups = new Map<string, HeldCall[]>()
  for (const view of held) {
    const key = batchKeyOf(view)
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), view])
  }
  return [...groups].flatMap(([key, views]) => {
    const [first] = views
    const rule = first === undefined ? undefined : factsOf(first)?.rule
    return first === undefined || rule === undefined || views.length < 2
      ? []
      : [{ key, rule: rule.id, risk: first.risk.level, views }]
  })
}

/** What calls must have in common; null when a call is decided on its own. */
export function batchKeyOf(call: HeldCall): string | null {
  if (riskRank(call.risk.level) > riskRank('medium')) return null
  const facts = factsOf(call)
  if (facts === null || facts.supervision !== 'confirm' || facts.passkey) return null
  const { id, file, line } = facts.rule
  return `${call.risk.level} ${id} ${file}:${line}`
}
