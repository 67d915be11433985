import fc from 'fast-check'
import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { Kind } from '../../packages/core/src/call/descriptor.ts'
import { KINDS } from '../../packages/core/src/call/descriptor.ts'
import type { CommandPart, CommandWord } from '../../packages/core/src/command/decomposition.ts'
import type { Circumstances } from '../../packages/core/src/policy/circumstances.ts'
import type { Grant } from '../../packages/core/src/policy/grant.ts'
import type { Conditions, Limit, PolicySet, Rule } from '../../packages/core/src/policy/rule.ts'
import { SUPERVISIONS } from '../../packages/core/src/policy/supervision.ts'
import { highestRisk, RISK_LEVELS } from '../../packages/core/src/risk/level.ts'
import type { PathUse, RatedPart, RiskReport } from '../../packages/core/src/risk/report.ts'

/** Random policies, calls and grants over vocabularies so small that they meet. */

const one = <T>(...values: readonly T[]) => fc.constantFrom(...values)
const few = <T>(...values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 4) => fc.option(arbitrary, { nil: undefined, freq })

/** Leaves out the fields that came out undefined. */
function compact<T extends object>(arbitrary: fc.Arbitrary<{ [K in keyof T]: T[K] | undefined }>): fc.Arbitrary<T> {
  return arbitrary.map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T)
}

export const PLACES = { workspace: '/srv/app', home: '/home/ann', gate: '/home/ann/.countersign', temp: '/tmp' }

const REAL_PATHS = ['/srv/app/src/a.ts', '/srv/app/.env', '/srv/app', '/srv/app-secrets/x', '/etc/passwd', '/home/ann/.ssh/id', '/tmp/abc', '/srv/other/.env.local']
const TOOLS = [
  { server: null, name: 'read_file' },
  { server: null, name: 'write_file' },
  { server: null, name: 'run' },
  { server: 'pg', name: 'query' },
  { server: 'pg', name: 'drop' },
  { server: 'Files', name: 'write_file' },
] as const

const valueTest = fc.oneof(
  one('prod', 'dev', 5, true, null, ['a', 'prod']).map((equals) => ({ equals })),
  few<string | number>('prod', 'dev', 5, 100).map((values) => ({ in: values })),
  one('prod*', '*d', '/srv/*', '5*', 'p*d').map((glob) => ({ glob })),
  one('^pro', 'd$', '^/srv/.+', '^[0-9]+$', '^de?v', 'ro').map((regex) => ({ regex })),
  one(4, 5, 50).map((above) => ({ above })),
  one(6, 50).map((below) => ({ below })),
)

const args = fc.dictionary(one('env', 'limit', 'opts.deep', 'list', 'list.env'), valueTest, { minKeys: 1, maxKeys: 2, noNullPrototype: true })
const folders = few('${workspace}', '~', '/etc', '/srv/app', '${workspace}/src', '/srv', '${temp}')
const globs = few('**/.env*', 'src/**', '/etc/*', '~/.ssh/**', '*.{ts,js}', '**/a?c', '/srv/**/[a-x]*', '**', '/tmp/[!b]bc')

const path = compact<NonNullable<Conditions['path']>>(
  fc.record({ inside: maybe(folders, 2), outside: maybe(folders, 2), glob: maybe(globs, 2), except: maybe(globs, 2) }),
).filter((test) => Object.keys(test).length > 0)

const command = compact<NonNullable<Conditions['command']>>(
  fc.record({ program: maybe(few('git', 'rm', 'npm'), 4), verb: maybe(few('status', 'push', 'test'), 2), flags: maybe(few('-f', '--force', '-r'), 2) }),
).filter((test) => Object.keys(test).length > 0)

const url = compact<NonNullable<Conditions['url']>>(
  fc.record({ scheme: maybe(few('https', 'http'), 2), host: maybe(few('api.example.com', '*.example.com', 'evil.test'), 2), method: maybe(few('GET', 'POST'), 2) }),
).filter((test) => Object.keys(test).length > 0)

const hours = fc.oneof(
  fc.record({ inside: one('08:00-20:00', '22:00-06:00'), zone: one('UTC', 'Europe/Vienna', 'America/New_York') }),
  fc.record({ outside: one('08:00-20:00', '00:00-24:00'), zone: one('UTC', 'Asia/Tokyo') }),
  fc.record({ days: few('mon', 'sat', 'sun'), zone: one('UTC', 'Asia/Tokyo') }),
)

const risk = fc.oneof(
  one(...RISK_LEVELS).map((at_least) => ({ at_least })),
  one(...RISK_LEVELS).map((at_most) => ({ at_most })),
)

const tools = few('read_file', 'WRITE_file', 'run', 'pg/*', 'pg/query', '*_file', 'files/*', '*', 'r*', 'pg/d*')

/** One kind of condition at a time, so that most rules are close to matching. */
const leaf: fc.Arbitrary<Conditions> = fc.oneof(
  { weight: 4, arbitrary: tools.map((tool) => ({ tool })) },
  { weight: 3, arbitrary: args.map((test) => ({ args: test })) },
  { weight: 3, arbitrary: path.map((test) => ({ path: test })) },
  { weight: 3, arbitrary: command.map((test) => ({ command: test })) },
  { weight: 2, arbitrary: few<Kind>('read', 'write', 'execute', 'delete', 'fetch').map((kind) => ({ kind })) },
  { weight: 2, arbitrary: risk.map((test) => ({ risk: test })) },
  { weight: 1, arbitrary: few('pg', 'f*').map((server) => ({ server })) },
  { weight: 1, arbitrary: few('main', 'help*').map((agent) => ({ agent })) },
  { weight: 1, arbitrary: url.map((test) => ({ url: test })) },
  { weight: 1, arbitrary: hours.map((test) => ({ hours: test })) },
  { weight: 1, arbitrary: fc.boolean().map((value) => ({ annotations: { readOnlyHint: value } })) },
)

const group = (inner: fc.Arbitrary<Conditions>): fc.Arbitrary<Conditions> =>
  fc.oneof(
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((any) => ({ any })),
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((all) => ({ all })),
    inner.map((not) => ({ not })),
  )

const joined = fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all): Conditions => Object.assign({}, ...all))
const conditions: fc.Arbitrary<Conditions> = fc.oneof(
  { weight: 6, arbitrary: joined },
  { weight: 1, arbitrary: fc.tuple(leaf, group(leaf)).map(([a, b]): Conditions => ({ ...a, ...b })) },
  { weight: 1, arbitrary: group(fc.oneof(joined, group(leaf))) },
  { weight: 1, arbitrary: fc.constant({}) },
)

export const rule: fc.Arbitrary<Rule> = fc.record({
  id: one('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  layer: one('managed', 'user', 'user', 'project', 'preset', 'builtin'),
  file: one('x.yaml', 'y.yaml'),
  line: fc.integer({ min: 1, max: 12 }),
  when: conditions,
  unless: fc.option(fc.oneof(leaf, joined), { nil: null, freq: 2 }),
  supervision: one(...SUPERVISIONS, 'automatic', 'notify', 'confirm'),
  floor: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  upTo: one(...RISK_LEVELS, 'medium', 'critical'),
  checks: fc.uniqueArray(one('secrets', 'backup', 'disk'), { maxLength: 2 }),
  timeoutMs: fc.option(one(1_000, 60_000), { nil: null, freq: 2 }),
  reason: fc.option(one('because'), { nil: null, freq: 2 }),
})

const limit: fc.Arbitrary<Limit> = fc.record({
  name: one('calls', 'files', 'lines'),
  most: one(1, 3),
  windowMs: fc.constant(null),
  layer: one('user', 'project'),
  file: fc.constant('x.yaml'),
  line: fc.constant(1),
})

const supervision = one(...SUPERVISIONS, 'automatic', 'confirm')

export const policySet: fc.Arbitrary<PolicySet> = fc.record({
  rules: fc.oneof({ weight: 4, arbitrary: fc.array(rule, { maxLength: 6 }) }, { weight: 1, arbitrary: fc.array(rule, { minLength: 10, maxLength: 24 }) }),
  row: fc.record({
    preset: fc.constant('p'),
    byRisk: fc.record({ none: supervision, low: supervision, medium: supervision, high: supervision, critical: supervision }),
    undescribed: supervision,
    ignoresDeclarations: fc.boolean(),
  }),
  limits: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.uniqueArray(limit, { maxLength: 2, selector: (l) => l.name }) }),
  timeoutMs: fc.constant(300_000),
  hash: fc.constant('hash'),
})

const level = one(...RISK_LEVELS)
const pathUse: fc.Arbitrary<PathUse> = fc.record({
  given: one('a', 'b'),
  real: fc.option(one(...REAL_PATHS), { nil: null, freq: 7 }),
  use: one('read', 'write', 'delete', 'execute'),
})

const word: fc.Arbitrary<CommandWord> = one('status', 'push', 'test', '-f', '--force', '-rf', 'x', null, '--').map((value) => ({ text: value ?? '$X', value, glob: false }))

const part: fc.Arbitrary<CommandPart> = fc
  .record({ program: one('git', 'rm', 'npm', 'ls', null), folder: one('', '', '', '/usr/bin/', './', '/tmp/'), args: fc.array(word, { maxLength: 3 }) })
  .map(({ program, folder, args }) => ({
    program,
    path: program === null ? null : `${folder}${program}`,
    args,
    assignments: [],
    redirections: [],
    via: [],
    cwd: '/srv/app',
    stdin: { kind: 'none' },
    text: program ?? '$X',
    span: { start: 0, end: 1 },
  }))

const ratedPart: fc.Arbitrary<RatedPart> = fc.record({ command: part, level, paths: fc.array(pathUse, { maxLength: 2 }) })

const report = (command: boolean): fc.Arbitrary<RiskReport> =>
  fc
    .record({
      level,
      parts: fc.array(ratedPart, { minLength: command ? 1 : 0, maxLength: command ? 3 : 0 }),
      paths: fc.array(pathUse, { maxLength: 2 }),
      understood: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    })
    .map(({ level, parts, paths, understood }) => ({
      level: highestRisk([level, ...parts.map((one) => one.level)]),
      reversible: 'unknown',
      reasons: [],
      paths: command ? parts.flatMap((one) => one.paths) : paths,
      parts,
      understood: command ? understood : true,
    }))

const scalar = one<string | number | boolean | null>('prod', 'dev', 'produced', '/srv/x', 5, 100, '100', ' 7 ', true, null, 'many')
const argument = fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) }, { weight: 1, arbitrary: fc.constant({ env: 'prod' }) })
const callArgs = compact<Record<string, never>>(
  fc.record({
    env: maybe(argument),
    limit: maybe(argument),
    opts: maybe(fc.oneof(fc.record({ deep: argument }), fc.array(fc.record({ deep: argument }), { maxLength: 2 })), 2),
    list: maybe(fc.oneof(fc.array(argument, { maxLength: 2 }), fc.array(fc.record({ env: scalar }), { maxLength: 2 })), 2),
    content: maybe(one('a', 'a\nb\n', 'a\nb\nc\nd', ''), 2),
    method: maybe(one('GET', 'post'), 2),
    body: maybe(fc.constant('x'), 2),
  }) as never,
)

/** Cast in one place: only `freezeCall` makes these for real. */
const frozen = (fields: Omit<FrozenCall, never>): FrozenCall => fields as unknown as FrozenCall

const call = (command: boolean): fc.Arbitrary<FrozenCall> =>
  fc
    .record({
      tool: one(...TOOLS),
      args: callArgs,
      agent: one({ name: 'main', parents: [] as string[] }, { name: 'helper', parents: ['main'] }),
      session: one('s1', 's1', null),
      kind: command ? fc.constant<Kind>('execute') : one(...KINDS),
      url: maybe(one('https://api.example.com/x', 'http://evil.test./', 'https://api.example.com@evil.test', 'not a url'), 2),
      source: one('declared', 'known', 'nobody'),
      from: one('builtin', 'mcp', 'custom'),
      requiresConfirmation: fc.boolean(),
      annotations: one(null, { readOnlyHint: true }, { destructiveHint: false }),
    })
    .map(({ tool, args, agent, session, kind, url, source, from, requiresConfirmation, annotations }) =>
      frozen({
        id: 'c',
        tool: { ...tool, definition: 'def' },
        description: null,
        annotations,
        source: from,
        args,
        cwd: '/srv/app',
        session,
        agent,
        said: null,
        requiresConfirmation,
        confirmationMessage: null,
        descriptor: { kind, source, ...(url === undefined ? {} : { url }), ...(command ? { command: 'x' } : {}) },
        canonical: '',
        digest: '',
        grantKey: `key-${tool.name}`,
      } as unknown as FrozenCall),
    )

export const grant: fc.Arbitrary<Grant> = fc.record({
  id: one('g1', 'g2', 'g3'),
  scope: fc.oneof(
    one('key-read_file', 'key-run', 'key-query').map((grantKey) => ({ kind: 'exact' as const, grantKey })),
    one(...TOOLS).map((tool) => ({ kind: 'tool' as const, server: tool.server, tool: tool.name, definition: 'def' })),
    one('pg', 'Files').map((server) => ({ kind: 'server' as const, server })),
    joined.map((when) => ({ kind: 'pattern' as const, when: when as never })),
    command.map((test) => ({ kind: 'pattern' as const, when: { command: test } as never })),
  ),
  lifetime: fc.oneof(
    fc.constant({ kind: 'session' as const }),
    fc.constant({ kind: 'uses' as const, uses: 1 }),
    one(0, 9e15).map((at) => ({ kind: 'until' as const, at })),
  ),
  session: one('s1', 's1', 's1', 's2', null),
  agent: one(['main'], ['main'], ['main', 'helper'], ['helper']),
  givenBy: fc.constant('ann'),
  givenAt: fc.constant(0),
})

export interface PolicyCase {
  readonly set: PolicySet
  readonly call: FrozenCall
  readonly risk: RiskReport
  readonly circumstances: Circumstances
}

/** A whole case: policy × call × grants and what else is true. */
export const policyCase: fc.Arbitrary<PolicyCase> = fc.boolean().chain((isCommand) =>
  fc.record({
    set: policySet,
    call: call(isCommand),
    risk: report(isCommand),
    circumstances: fc.record({
      now: fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
      places: fc.constant(PLACES),
      resolved: fc.constant(new Map<string, string>()),
      counters: one<Record<string, number>>({ calls: 0, files: 0, lines: 0 }, { calls: 1, files: 2, lines: 2 }, { calls: 9 }),
      grants: fc.uniqueArray(grant, { maxLength: 3, selector: (one) => one.id }),
    }),
  }),
)
