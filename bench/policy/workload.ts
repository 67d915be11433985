/** The workload of the reference measurements: rules, and calls that match them. Seeded, so every run is the same. */

export type WorkTool =
  | { readonly kind: 'exact'; readonly server: string; readonly name: string }
  | { readonly kind: 'server'; readonly server: string }
  | { readonly kind: 'any' }

export type WorkTest =
  | { readonly kind: 'path'; readonly folder: string }
  | { readonly kind: 'command'; readonly program: string; readonly verb: string }
  | { readonly kind: 'amount'; readonly above: number; readonly env: string }
  | { readonly kind: 'none' }

export interface WorkRule {
  readonly id: string
  readonly tool: WorkTool
  readonly test: WorkTest
  readonly effect: 'allow' | 'deny'
}

export interface WorkCall {
  readonly server: string
  readonly name: string
  readonly args: { readonly [name: string]: string | number }
  /** Id of the only matching rule; null if none matches. */
  readonly expected: string | null
}

export interface Workload {
  readonly rules: readonly WorkRule[]
  readonly calls: readonly WorkCall[]
}

const SERVERS = 20
const TOOLS = 10
const CALLS = 256

/** 65 % exact tool, 30 % server wildcard, 5 % any tool; 45 % path glob, 30 % command regex, 20 % number and equality. */
export function makeWorkload(size: number, seed = 42): Workload {
  const random = mulberry(seed + size)
  const pick = (count: number): number => Math.floor(random() * count)
  const rules = Array.from({ length: size }, (_, at) => makeRule(at, random, pick))
  const calls = Array.from({ length: CALLS }, (_, at) => {
    const rule = rules[pick(size)]
    return at % 2 === 0 && rule ? hit(rule, pick) : miss(at, pick)
  })
  return { rules, calls }
}

function makeRule(at: number, random: () => number, pick: (count: number) => number): WorkRule {
  const effect = random() < 0.5 ? 'allow' : 'deny'
  const id = `rule-${at}`
  const kind = random()
  const test: WorkTest =
    kind < 0.45
      ? { kind: 'path', folder: `/srv/${['data', 'repos', 'tmp'][pick(3)]}/team${at % 40}/d${at}/` }
      : kind < 0.75
        ? { kind: 'command', program: `prog${at}`, verb: ['push', 'apply', 'run'][pick(3)] ?? 'run' }
        : kind < 0.95
          ? { kind: 'amount', above: pick(1000), env: `env${at}` }
          : { kind: 'none' }
  if (test.kind === 'none')
    return { id, test, effect, tool: { kind: 'exact', server: `server${pick(SERVERS)}`, name: `solo${at}` } }
  const scope = random()
  const server = `server${pick(SERVERS)}`
  const tool: WorkTool =
    scope < 0.65
      ? { kind: 'exact', server, name: `tool${pick(TOOLS)}` }
      : scope < 0.95
        ? { kind: 'server', server }
        : { kind: 'any' }
  return { id, tool, test, effect }
}

function hit(rule: WorkRule, pick: (count: number) => number): WorkCall {
  const server = rule.tool.kind === 'any' ? `server${pick(SERVERS)}` : rule.tool.server
  const name = rule.tool.kind === 'exact' ? rule.tool.name : `tool${pick(TOOLS)}`
  const { test } = rule
  const note = 'as asked'
  if (test.kind === 'path') return { server, name, args: { path: `${test.folder}notes.txt`, note }, expected: rule.id }
  if (test.kind === 'command')
    return { server, name, args: { command: `${test.program} ${test.verb} --now`, note }, expected: rule.id }
  if (test.kind === 'amount')
    return { server, name, args: { amount: test.above + 1, env: test.env, note }, expected: rule.id }
  return { server, name, args: { note }, expected: rule.id }
}

function miss(at: number, pick: (count: number) => number): WorkCall {
  const call = { server: `server${pick(SERVERS)}`, name: `tool${pick(TOOLS)}`, expected: null }
  const note = 'as asked'
  if (at % 3 === 0) return { ...call, args: { path: `/var/elsewhere/team${at}/x/notes.txt`, note } }
  if (at % 3 === 1) return { ...call, args: { command: `other${at} run --now`, note } }
  return { ...call, args: { amount: at, env: `nowhere${at}`, note } }
}

function mulberry(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
