import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { riskRank } from '../../risk/report/level.ts'
import type { Finding } from '../../safety/checker.ts'
import type { OpenedView } from './verified-view.ts'

/** How many calls may be decided together. INVARIANT: L10. */
export const MAX_BATCH = 25

/** Which calls a held call may be decided together with. */
export interface BatchPlace {
  /** Equal for calls that may be decided together. */
  readonly key: string
  /** Why it must be decided alone all the same, in words; otherwise null. */
  readonly alone: string | null
}

/**
 * Calls may be decided together if they share rule, risk (at most medium, DESIGN §7), tool, asker, folder and everything
 * else the gate shows of them. Null for a call that is always decided alone.
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

/** SECURITY: A5 a call with a failed or warning check is never decided together with others. */
function aloneBecause(findings: readonly Finding[]): string | null {
  const bad = findings.find(({ status }) => status === 'fail') ?? findings.find(({ status }) => status === 'warn')
  return bad === undefined ? null : `the check ${bad.checker} ${bad.status === 'fail' ? 'failed' : 'warns'}`
}
