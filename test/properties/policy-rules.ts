import fc from 'fast-check'
import type { Kind } from '../../packages/core/src/call/descriptor.ts'
import type { Json } from '../../packages/core/src/call/json/json.ts'
import type { Conditions, Limit, PolicySet, Rule } from '../../packages/core/src/policy/model/rule.ts'
import { SUPERVISIONS } from '../../packages/core/src/policy/model/supervision.ts'
import { RISK_LEVELS } from '../../packages/core/src/risk/report/level.ts'

/** Random policies over a small vocabulary, so that rules often match calls. */

export const one = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const few = <const T>(...values: readonly T[]): fc.Arbitrary<T[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })
export const maybe = <T>(arbitrary: fc.Arbitrary<T>, freq = 4) => fc.option(arbitrary, { nil: undefined, freq })

/** Omits undefined fields. */
export function compact<T extends object>(
  arbitrary: fc.Arbitrary<{ [K in keyof T]: T[K] | undefined }>,
): fc.Arbitrary<T> {
  return arbitrary.map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as T)
}

const valueTest = fc.oneof(
  one<Json>('prod', 'dev', 5, true, null, ['a', 'prod']).map((equals) => ({ equals })),
  few<string | number>('prod', 'dev', 5, 100).map((values) => ({ in: values })),
  one('prod*', '*d', '/srv/*', '5*', 'p*d').map((glob) => ({ glob })),
  one('^pro', 'd$', '^/srv/.+', '^[0-9]+$', '^de?v', 'ro').map((regex) => ({ regex })),
  one(4, 5, 50).map((above) => ({ above })),
  one(6, 50).map((below) => ({ below })),
)

const args = fc.dictionary(one('env', 'limit', 'opts.deep', 'list', 'list.env'), valueTest, {
  minKeys: 1,
  maxKeys: 2,
  noNullPrototype: true,
})
const folders = few('${workspace}', '~', '/etc', '/srv/app', '${workspace}/src', '/srv', '${temp}')
const globs = few(
  '**/.env*',
  'src/**',
  '/etc/*',
  '~/.ssh/**',
  '*.{ts,js}',
  '**/a?c',
  '/srv/**/[a-x]*',
  '**',
  '/tmp/[!b]bc',
)

const path = compact<NonNullable<Conditions['path']>>(
  fc.record({ inside: maybe(folders, 2), outside: maybe(folders, 2), glob: maybe(globs, 2), except: maybe(globs, 2) }),
).filter((test) => Object.keys(test).length > 0)

export const command = compact<NonNullable<Conditions['command']>>(
  fc.record({
    program: maybe(few('git', 'rm', 'npm'), 4),
    verb: maybe(few('status', 'push', 'test'), 2),
    flags: maybe(few('-f', '--force', '-r'), 2),
    like: maybe(one('git push', 'git status x', 'npm test', 'git push -f x'), 1),
    in: maybe(few('${workspace}', '/srv/app', '/tmp'), 1),
  }),
).filter((test) => Object.keys(test).length > 0)

const url = compact<NonNullable<Conditions['url']>>(
  fc.record({
    scheme: maybe(few('https', 'http'), 2),
    host: maybe(few('api.example.com', '*.example.com', 'evil.test'), 2),
    method: maybe(few('GET', 'POST'), 2),
  }),
).filter((test) => Object.keys(test).length > 0)

const networkHosts = few('api.example.com', '*.example.com', 'evil.test', 'evil.test:22', '*')

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

/** One kind of condition at a time, so that most rules nearly match. */
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
  { weight: 2, arbitrary: networkHosts.map((host) => ({ network: { host } })) },
  { weight: 1, arbitrary: hours.map((test) => ({ hours: test })) },
  { weight: 1, arbitrary: fc.boolean().map((value) => ({ annotations: { readOnlyHint: value } })) },
)

const group = (inner: fc.Arbitrary<Conditions>): fc.Arbitrary<Conditions> =>
  fc.oneof(
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((any) => ({ any })),
    fc.array(inner, { minLength: 1, maxLength: 2 }).map((all) => ({ all })),
    inner.map((not) => ({ not })),
  )

export const joined = fc.array(leaf, { minLength: 1, maxLength: 3 }).map((all): Conditions => Object.assign({}, ...all))
const conditions: fc.Arbitrary<Conditions> = fc.oneof(
  { weight: 6, arbitrary: joined },
  { weight: 1, arbitrary: fc.tuple(leaf, group(leaf)).map(([a, b]): Conditions => ({ ...a, ...b })) },
  { weight: 1, arbitrary: group(fc.oneof(joined, group(leaf))) },
  { weight: 1, arbitrary: fc.constant({}) },
)

/** Options as in rules: all options of a check, or none. */
const settings = fc.record(
  {
    size: fc.record({ most: one(1, 2, 3), deleted: fc.constant(9), files: fc.constant(9) }),
    url: fc.record({
      allow: fc.subarray(['a.example', 'b.example', 'c.example']),
      schemes: fc.constant(['https']),
    }),
  },
  { requiredKeys: [] },
)

const bounds = fc.record({
  write: fc.subarray(['/srv/app/out', '~/out']),
  read: fc.subarray(['/opt/data']),
  network: fc.subarray(['a.example', 'b.example']),
  credentials: fc.subarray(['git', 'npm']),
})

export const rule: fc.Arbitrary<Rule> = compact<Rule>(
  fc.record({
    id: one('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    layer: one('managed', 'user', 'user', 'project', 'preset', 'builtin'),
    file: one('x.yaml', 'y.yaml'),
    line: fc.integer({ min: 1, max: 12 }),
    when: conditions,
    unless: fc.option(fc.oneof(leaf, joined), { nil: null, freq: 2 }),
    supervision: one(...SUPERVISIONS, 'automatic', 'notify', 'confirm'),
    floor: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    upTo: one(...RISK_LEVELS, 'medium', 'critical'),
    raisesTo: maybe(one(...RISK_LEVELS), 1),
    checks: fc.uniqueArray(one('secrets', 'backup', 'disk'), { maxLength: 2 }),
    settings,
    timeoutMs: fc.option(one(1_000, 60_000), { nil: null, freq: 2 }),
    reason: fc.option(one('because'), { nil: null, freq: 2 }),
    contain: maybe(fc.oneof(bounds, fc.constant(false as const)), 1),
  }) as never,
)

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
  rules: fc.oneof(
    { weight: 4, arbitrary: fc.array(rule, { maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(rule, { minLength: 10, maxLength: 24 }) },
  ),
  row: fc.record({
    preset: fc.constant('p'),
    byRisk: fc.record({
      none: supervision,
      low: supervision,
      medium: supervision,
      high: supervision,
      critical: supervision,
    }),
    undescribed: supervision,
    contained: fc.constantFrom('any' as const, 'proven' as const, 'never' as const),
    contact: one(...SUPERVISIONS, 'confirm', 'confirm'),
    ignoresDeclarations: fc.boolean(),
    checks: fc.record({ changes: fc.constantFrom(['backup'], ['backup', 'disk']), advisory: fc.boolean() }),
  }),
  limits: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.uniqueArray(limit, { maxLength: 2, selector: (l) => l.name }) },
  ),
  network: one(
    { named: [], within: [] },
    { named: ['*.example.com'], within: [] },
    { named: ['*.example.com', 'evil.test:22'], within: [['api.example.com'], ['*']] },
  ),
  timeoutMs: fc.constant(300_000),
  hash: fc.constant('hash'),
})
