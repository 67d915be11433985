import { importPeer } from '../peers/install.ts'
import type { Engine } from './engine.ts'
import type { Workload, WorkRule } from './workload.ts'

/** The peers, each with the workload in its own terms. The bench's notes list what a peer cannot express. */

interface CaslRule {
  readonly inverted: boolean
  readonly reason: string
}

interface Casl {
  createMongoAbility(
    rules: readonly object[],
    options: object,
  ): { relevantRuleFor(action: string, subject: object): CaslRule | null }
}

/** A server is a subject type, a tool is an action; `relevantRuleFor` names the rule. */
export async function caslEngine({ rules, calls }: Workload): Promise<Engine> {
  const { createMongoAbility } = await importPeer<Casl>('@casl/ability')
  const raw = rules.map(({ id, tool, test, effect }) => ({
    action: tool.kind === 'exact' ? tool.name : 'manage',
    subject: tool.kind === 'any' ? 'all' : tool.server,
    inverted: effect === 'deny',
    reason: id,
    ...(test.kind === 'none' ? {} : { conditions: mongo(test) }),
  }))
  const ability = createMongoAbility(raw, { detectSubjectType: (subject: { server: string }) => subject.server })
  const subjects = calls.map((call) => ({ server: call.server, ...call.args }))
  return {
    name: '@casl/ability 7.0.1',
    decide: (at) => ability.relevantRuleFor(calls[at]?.name ?? '', subjects[at] ?? {})?.reason ?? null,
  }
}

function mongo(test: WorkRule['test']): object {
  if (test.kind === 'path') return { path: { $regex: `^${test.folder}` } }
  if (test.kind === 'command') return { command: { $regex: `^${test.program}\\s+${test.verb}\\b` } }
  return test.kind === 'amount' ? { amount: { $gt: test.above }, env: test.env } : {}
}

interface Gemini {
  PolicyEngine: new (
    config: object,
  ) => {
    check(call: object, server: string): Promise<{ rule?: { name?: string } }>
  }
}

/** Arguments are matched as one expression over their JSON, so `above` becomes the one number in the call. */
export async function geminiEngine({ rules, calls }: Workload): Promise<Engine> {
  const { PolicyEngine } = await importPeer<Gemini>('@google/gemini-cli-core', 'dist/src/policy/policy-engine.js')
  const engine = new PolicyEngine({
    rules: rules.map(({ id, tool, test, effect }, at) => ({
      name: id,
      toolName: tool.kind === 'any' ? '*' : `mcp_${tool.server}_${tool.kind === 'exact' ? tool.name : '*'}`,
      decision: effect,
      priority: rules.length - at,
      ...(test.kind === 'none' ? {} : { argsPattern: overJson(test) }),
    })),
    defaultDecision: 'ask_user',
  })
  const prepared = calls.map((call) => ({ name: `mcp_${call.server}_${call.name}`, args: call.args }))
  return {
    name: '@google/gemini-cli-core 0.61.0',
    asynchronous: true,
    decide: async (at) => (await engine.check(prepared[at] ?? {}, calls[at]?.server ?? '')).rule?.name ?? null,
  }
}

function overJson(test: WorkRule['test']): RegExp {
  if (test.kind === 'path') return new RegExp(`"path":"${test.folder}`)
  if (test.kind === 'command') return new RegExp(`"command":"${test.program}\\s+${test.verb}\\b`)
  return test.kind === 'amount' ? new RegExp(`"amount":${test.above + 1}\\D.*"env":"${test.env}"`) : /^/
}

interface Cedar {
  preparsePolicySet(id: string, policies: object): { type: string }
  statefulIsAuthorized(call: object): { response?: { diagnostics: { reason: readonly string[] } } }
}

/** Stateful and parsed once. It has no regular expressions: commands are matched by `like`. */
export async function cedarEngine({ rules, calls }: Workload): Promise<Engine> {
  const { preparsePolicySet, statefulIsAuthorized } = await importPeer<Cedar>(
    '@cedar-policy/cedar-wasm',
    'nodejs/cedar_wasm.js',
  )
  const staticPolicies = Object.fromEntries(rules.map((rule) => [rule.id, cedarText(rule)]))
  const id = `bench-${rules.length}`
  const parsed = preparsePolicySet(id, { staticPolicies })
  if (parsed.type !== 'success') throw new Error(`cedar refused the policies: ${JSON.stringify(parsed).slice(0, 300)}`)
  const prepared = calls.map((call) => ({
    principal: { type: 'Agent', id: 'main' },
    action: { type: 'Action', id: `${call.server}/${call.name}` },
    resource: { type: 'Server', id: call.server },
    context: call.args,
    preparsedPolicySetId: id,
    entities: [],
  }))
  return {
    name: '@cedar-policy/cedar-wasm 4.13.0',
    decide: (at) => statefulIsAuthorized(prepared[at] ?? {}).response?.diagnostics.reason[0] ?? null,
  }
}

function cedarText({ tool, test, effect }: WorkRule): string {
  const action = tool.kind === 'exact' ? `action == Action::"${tool.server}/${tool.name}"` : 'action'
  const resource = tool.kind === 'server' ? `resource == Server::"${tool.server}"` : 'resource'
  const when = test.kind === 'none' ? '' : ` when { ${cedarCondition(test)} }`
  return `${effect === 'allow' ? 'permit' : 'forbid'}(principal, ${action}, ${resource})${when};`
}

function cedarCondition(test: WorkRule['test']): string {
  if (test.kind === 'path') return `context has path && context.path like "${test.folder}*"`
  if (test.kind === 'command') return `context has command && context.command like "${test.program} ${test.verb}*"`
  if (test.kind === 'amount')
    return `context has amount && context.amount > ${test.above} && context.env == "${test.env}"`
  return 'true'
}
