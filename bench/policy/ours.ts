import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import { compilePolicy } from '../../packages/core/src/policy/compile/compiled-policy.ts'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate/evaluate.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Conditions, PolicySet, ValueTest } from '../../packages/core/src/policy/model/rule.ts'
import type { RiskReport } from '../../packages/core/src/risk/report/report.ts'
import type { Engine } from './engine.ts'
import type { WorkCall, Workload, WorkRule } from './workload.ts'

/** Countersign: the real `evaluatePolicy` on prepared calls, with rule, place, reasons and checks in the verdict. */
export function countersignEngine({ rules, calls }: Workload): Engine {
  const policy = compilePolicy(policySetOf(rules))
  const prepared = calls.map(frozen)
  return {
    name: 'countersign',
    decide: (at) => {
      const call = prepared[at]
      if (!call) return null
      const verdict = evaluatePolicy(call, RISK, policy, CIRCUMSTANCES)
      return verdict.reasons.length === 0 || verdict.rule.layer === 'preset' ? null : verdict.rule.id
    },
  }
}

const RISK: RiskReport = {
  level: 'medium',
  reversible: 'unknown',
  magnitude: { reach: 'unknown' },
  target: null,
  reasons: [],
  paths: [],
  hosts: [],
  parts: [],
  understood: true,
}

const CIRCUMSTANCES: Circumstances = {
  now: 1_750_000_000_000,
  places: { workspace: '/srv/app', home: '/home/ann', gate: '/home/ann/.countersign', temp: '/tmp' },
  resolved: new Map(),
  counters: {},
  grants: [],
}

/** The rules of the workload as a loaded policy. */
export function policySetOf(rules: readonly WorkRule[]): PolicySet {
  const byRisk = { none: 'confirm', low: 'confirm', medium: 'confirm', high: 'confirm', critical: 'manual' } as const
  return {
    rules: rules.map((rule, at) => ({
      id: rule.id,
      layer: 'user',
      file: 'policy.yaml',
      line: at + 1,
      when: conditionsOf(rule),
      unless: null,
      supervision: rule.effect === 'allow' ? 'automatic' : 'deny',
      floor: false,
      upTo: 'critical',
      checks: [],
      timeoutMs: null,
      reason: null,
    })),
    row: { preset: 'bench', byRisk, undescribed: 'confirm', contained: 'any', ignoresDeclarations: false },
    limits: [],
    timeoutMs: 300_000,
    hash: 'bench',
  }
}

function conditionsOf({ tool, test }: WorkRule): Conditions {
  const label = tool.kind === 'any' ? null : tool.kind === 'server' ? `${tool.server}/*` : `${tool.server}/${tool.name}`
  const args = argumentsOf(test)
  return { ...(label === null ? {} : { tool: [label] }), ...(args === null ? {} : { args }) }
}

function argumentsOf(test: WorkRule['test']): { readonly [name: string]: ValueTest } | null {
  if (test.kind === 'path') return { path: { glob: `${test.folder}*` } }
  if (test.kind === 'command') return { command: { regex: `^${test.program}\\s+${test.verb}\\b` } }
  return test.kind === 'amount' ? { amount: { above: test.above }, env: { equals: test.env } } : null
}

function frozen(call: WorkCall): FrozenCall {
  return {
    id: 'c',
    tool: { server: call.server, name: call.name, definition: 'unbound' },
    description: null,
    annotations: null,
    source: 'mcp',
    args: Object.freeze({ ...call.args }),
    cwd: '/srv/app',
    session: 's',
    agent: { name: 'main', parents: [] },
    said: null,
    requiresConfirmation: false,
    confirmationMessage: null,
    descriptor: { kind: 'other', source: 'declared' },
    canonical: '',
    digest: '',
    grantKey: '',
  } as unknown as FrozenCall
}
