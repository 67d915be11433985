import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { riskRank } from '../../risk/report/level.ts'
import type { Finding } from '../../safety/checker.ts'
import type { OpenedView } from './verified-view.ts'

/** How many calls one act decides at most; the others stay for the next. INVARIANT: L10. */
export const MAX_BATCH = 25

/** Where a held call stands among others of its kind. */
export interface BatchPlace {
  /** Equal for calls that may be decided together. */
  readonly key: string
  /** Why this one is decided alone all the same, in words; null for one that is not. */
  readonly alone: string | null
}

/**
 * What calls must have in common to be decided together: one rule and one risk of at most medium (DESIGN §7), and also
 * the tool, the asker, the folder, and whatever else the gate says of them. Null for a call that is never decided so.
 */
export function batchPlace({ view, body }: Pick<OpenedView, 'view' | 'body'>): BatchPlace | null {
  const { risk, verdict, findings, preview } = view
  if (riskRank(risk.level) > riskRank('medium') || body.supervision !== 'confirm' || body.passkey === true) return null
  if (preview.kind === 'failed') return null
  const { tool, agent, session, cwd } = body.call
  const key: Json = {
    rules: [verdict.rule, ...verdict.contributors].map(({ id, file, line }) => `${id} ${file}:${line}`),
    condition: verdict.condition ?? null,
    tool: { server: tool.server, name: tool.name, definition: tool.definition },
    asker: { agent, session, cwd },
    risk: [risk.level, risk.reversible, ...new Set(risk.reasons.map(({ level, rule }) => `${level} ${rule}`))],
    skipped: findings.filter(({ status }) => status === 'skip').map(({ checker }) => checker),
    preview: preview.kind === 'diff' ? `${preview.kind} ${preview.change}` : preview.kind,
    unbound: body.targets.some(({ content }) => content === 'unbound'),
  }
  return { key: canonicalJson(key), alone: aloneBecause(findings) }
}

/** SECURITY: A5 what a check complains of is never one of many. */
function aloneBecause(findings: readonly Finding[]): string | null {
  const bad = findings.find(({ status }) => status === 'fail') ?? findings.find(({ status }) => status === 'warn')
  return bad === undefined ? null : `the check ${bad.checker} ${bad.status === 'fail' ? 'failed' : 'warns'}`
}
