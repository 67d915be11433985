import { type HeldCallView, openHeld, riskRank } from '@countersign/react'

/** Held calls that one rule holds at one low level: they may be approved together, each with its own signature. */
export interface Batch {
  readonly key: string
  readonly rule: string
  readonly risk: string
  readonly views: readonly HeldCallView[]
}

/** DESIGN §7: batch approval only for equal rule and risk up to medium, and never under manual supervision. */
export function batchesOf(held: readonly HeldCallView[]): readonly Batch[] {
  const groups = new Map<string, HeldCallView[]>()
  for (const view of held) {
    if (riskRank(view.risk.level) > riskRank('medium')) continue
    const opened = openHeld(view)
    if (opened.kind === 'mismatch') continue
    const { supervision, passkey } = opened.opened.body
    if (supervision !== 'confirm' || passkey === true) continue
    const { id, file, line } = view.verdict.rule
    const key = `${view.risk.level} ${id} ${file}:${line}`
    groups.set(key, [...(groups.get(key) ?? []), view])
  }
  return [...groups].flatMap(([key, views]) => {
    const [first] = views
    return first === undefined || views.length < 2
      ? []
      : [{ key, rule: first.verdict.rule.id, risk: first.risk.level, views }]
  })
}
