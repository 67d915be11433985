import { calmRisk } from '@countersign/testing/gate/harmless-risk'
import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { CommandPart } from '../../packages/core/src/command/model/decomposition.ts'
import { compilePolicy } from '../../packages/core/src/policy/compile/compiled-policy.ts'
import { evaluatePolicy } from '../../packages/core/src/policy/evaluate/evaluate.ts'
import type { Case, Unit } from '../../packages/core/src/policy/match/call-unit.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Grant } from '../../packages/core/src/policy/model/grant.ts'
import type { Conditions, PolicySet, Rule } from '../../packages/core/src/policy/model/rule.ts'
import type { Verdict } from '../../packages/core/src/policy/model/verdict.ts'
import type { RatedPart, RiskReport } from '../../packages/core/src/risk/report/report.ts'

/** Small, complete values for policy tests. Only this file casts to a frozen call; elsewhere `freezeCall` creates them. */
export function someCall(fields: { readonly [field in keyof FrozenCall]?: unknown } = {}): FrozenCall {
  return {
    id: 'c1',
    tool: { server: null, name: 'write_file', definition: 'def' },
    description: null,
    annotations: null,
    source: 'builtin',
    args: {},
    cwd: '/srv/app',
    session: 's1',
    agent: { name: 'main', parents: [] },
    said: null,
    reasoning: null,
    inProduction: false,
    requiresConfirmation: false,
    confirmationMessage: null,
    containable: true,
    outside: false,
    descriptor: { kind: 'write', source: 'declared' },
    digest: '',
    grantKey: 'key',
    around: null,
    ...fields,
  } as unknown as FrozenCall
}

export function someRisk(fields: Partial<RiskReport> = {}): RiskReport {
  return calmRisk({ level: 'low', ...fields })
}

export function somePart(words: readonly (string | null)[], fields: Partial<CommandPart> = {}): CommandPart {
  const [first = null, ...args] = words
  return {
    program: first?.split('/').at(-1) ?? null,
    path: first,
    args: args.map((value) => ({ text: value ?? '$X', value, glob: false })),
    assignments: [],
    redirections: [],
    via: [],
    cwd: '/srv/app',
    stdin: { kind: 'none' },
    text: words.map((word) => word ?? '$X').join(' '),
    span: { start: 0, end: 1 },
    ...fields,
  }
}

export function someRated(words: readonly (string | null)[], fields: Partial<RatedPart> = {}): RatedPart {
  return { command: somePart(words), level: 'low', paths: [], hosts: [], ...fields }
}

export function circumstancesAt(fields: Partial<Circumstances> = {}): Circumstances {
  const places = { workspace: '/srv/app', home: '/home/ann', gate: '/home/ann/.countersign', temp: '/tmp' }
  return { now: 1_750_000_000_000, places, resolved: new Map(), counters: {}, grants: [], sandbox: 'works', ...fields }
}

export function someRule(when: Conditions, fields: Partial<Rule> = {}): Rule {
  return {
    id: 'rule',
    layer: 'user',
    file: 'policy.yaml',
    line: 1,
    when,
    unless: null,
    supervision: 'automatic',
    floor: false,
    upTo: 'medium',
    checks: [],
    timeoutMs: null,
    reason: null,
    ...fields,
  }
}

/** The rows of the balanced preset and the given rules. */
export function somePolicy(rules: readonly Rule[], fields: Partial<PolicySet> = {}): PolicySet {
  const byRisk = {
    none: 'automatic',
    low: 'automatic',
    medium: 'confirm',
    high: 'confirm',
    critical: 'manual',
  } as const
  const row = {
    preset: 'balanced',
    byRisk,
    undescribed: 'confirm',
    contained: 'any',
    ignoresDeclarations: false,
  } as const
  return { rules, row, limits: [], timeoutMs: 300_000, hash: 'hash', ...fields }
}

export function someGrant(fields: Partial<Grant> = {}): Grant {
  return {
    id: 'g1',
    scope: { kind: 'tool', server: null, tool: 'write_file', definition: 'def' },
    lifetime: { kind: 'session' },
    session: 's1',
    agent: ['main'],
    givenBy: 'ann',
    givenAt: 0,
    ...fields,
  }
}

export function someUnit(fields: Partial<Unit> = {}): Unit {
  return {
    part: null,
    path: null,
    hosts: [],
    level: 'low',
    rowLevel: fields.level ?? 'low',
    contained: false,
    opaque: false,
    ...fields,
  }
}

export function someCase(fields: Partial<Case> = {}): Case {
  return { call: someCall(), risk: someRisk(), circumstances: circumstancesAt(), ...fields }
}

/** Judges a small case, with the defaults of the functions above. */
export function judge(given: {
  readonly rules?: readonly Rule[]
  readonly set?: Partial<PolicySet>
  readonly call?: FrozenCall
  readonly risk?: RiskReport
  readonly now?: Partial<Circumstances>
}): Verdict {
  const { rules = [], set = {}, call = someCall(), risk = someRisk(), now = {} } = given
  return evaluatePolicy(call, risk, compilePolicy(somePolicy(rules, set)), circumstancesAt(now))
}
