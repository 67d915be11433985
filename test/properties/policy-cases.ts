import fc from 'fast-check'
import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import { KINDS, type Kind } from '../../packages/core/src/call/descriptor.ts'
import type { CommandPart, CommandWord } from '../../packages/core/src/command/model/decomposition.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Grant } from '../../packages/core/src/policy/model/grant.ts'
import type { PolicySet } from '../../packages/core/src/policy/model/rule.ts'
import { highestRisk, RISK_LEVELS } from '../../packages/core/src/risk/report/level.ts'
import type { HostUse, PathUse, RatedPart, RiskReport } from '../../packages/core/src/risk/report/report.ts'
import { someCall } from '../model/case.ts'
import { command, compact, joined, maybe, one, policySet } from './policy-rules.ts'

/** Random calls and grants that use the same vocabulary as the random policies. */

const PLACES = { workspace: '/srv/app', home: '/home/ann', gate: '/home/ann/.countersign', temp: '/tmp' }

const REAL_PATHS = [
  '/srv/app/src/a.ts',
  '/srv/app/.env',
  '/srv/app',
  '/srv/app-secrets/x',
  '/etc/passwd',
  '/home/ann/.ssh/id',
  '/tmp/abc',
  '/srv/other/.env.local',
]
const TOOLS: readonly { readonly server: string | null; readonly name: string }[] = [
  { server: null, name: 'read_file' },
  { server: null, name: 'write_file' },
  { server: null, name: 'run' },
  { server: 'pg', name: 'query' },
  { server: 'pg', name: 'drop' },
  { server: 'Files', name: 'write_file' },
]

const level = one(...RISK_LEVELS)
const pathUse: fc.Arbitrary<PathUse> = fc
  .record({
    given: one('a', 'b'),
    real: fc.option(one(...REAL_PATHS), { nil: null, freq: 5 }),
    below: fc.option(one(...REAL_PATHS, '/', '/srv'), { nil: undefined }),
    use: one('read', 'write', 'delete', 'execute'),
  })
  .map(({ given, real, below, use }) =>
    real === null && below !== undefined ? { given, real, within: below, use } : { given, real, use },
  )

const word: fc.Arbitrary<CommandWord> = one('status', 'push', 'test', '-f', '--force', '-rf', 'x', null, '--').map(
  (value) => ({ text: value ?? '$X', value, glob: false }),
)

const part: fc.Arbitrary<CommandPart> = fc
  .record({
    program: one('git', 'rm', 'npm', 'ls', null),
    folder: one('', '', '', '/usr/bin/', './', '/tmp/'),
    args: fc.array(word, { maxLength: 3 }),
  })
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

const hostUse: fc.Arbitrary<HostUse> = fc.record({
  host: one('api.example.com', 'api.example.com', 'evil.test', 'localhost', '127.0.0.1', null),
  port: one(443, 443, 22, null),
  use: one('read', 'read', 'send'),
  certain: fc.boolean(),
})
const hosts = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.array(hostUse, { maxLength: 2 }) },
)

const ratedPart: fc.Arbitrary<RatedPart> = compact<RatedPart>(
  fc.record({
    command: part,
    level,
    contained: maybe(one('none', 'low'), 2),
    onlyReads: maybe(fc.constant(true as const), 2),
    proven: maybe(one('reads' as const, 'changes' as const), 1),
    provided: maybe(one('repository' as const, 'settings' as const), 3),
    runsProject: maybe(fc.constant(true as const), 2),
    paths: fc.array(pathUse, { maxLength: 2 }),
    hosts,
  }),
)

const report = (command: boolean): fc.Arbitrary<RiskReport> =>
  fc
    .record({
      level,
      parts: fc.array(ratedPart, { minLength: command ? 1 : 0, maxLength: command ? 3 : 0 }),
      paths: fc.array(pathUse, { maxLength: 2 }),
      hosts,
      beside: maybe(level, 1),
      understood: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    })
    .map(({ beside, level, parts, paths, hosts, understood }) => ({
      level: highestRisk([level, ...parts.map((one) => one.level)]),
      reversible: 'unknown',
      magnitude: { reach: 'unknown' },
      target: null,
      reasons: [],
      paths: command ? parts.flatMap((one) => one.paths) : paths,
      hosts: command ? parts.flatMap((one) => one.hosts) : hosts,
      parts,
      ...(command && beside !== undefined ? { beside } : {}),
      understood: command ? understood : true,
    }))

const scalar = one<string | number | boolean | null>(
  'prod',
  'dev',
  'produced',
  '/srv/x',
  5,
  100,
  '100',
  ' 7 ',
  true,
  null,
  'many',
)
const argument = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constant({ env: 'prod' }) },
)
const callArgs = compact<Record<string, never>>(
  fc.record({
    env: maybe(argument),
    limit: maybe(argument),
    opts: maybe(fc.oneof(fc.record({ deep: argument }), fc.array(fc.record({ deep: argument }), { maxLength: 2 })), 2),
    list: maybe(
      fc.oneof(fc.array(argument, { maxLength: 2 }), fc.array(fc.record({ env: scalar }), { maxLength: 2 })),
      2,
    ),
    content: maybe(one('a', 'a\nb\n', 'a\nb\nc\nd', ''), 2),
    method: maybe(one('GET', 'post'), 2),
    body: maybe(fc.constant('x'), 2),
  }) as never,
)

const call = (command: boolean): fc.Arbitrary<FrozenCall> =>
  fc
    .record({
      tool: one(...TOOLS),
      args: callArgs,
      agent: one({ name: 'main', parents: [] as string[] }, { name: 'helper', parents: ['main'] }),
      session: one('s1', 's1', null),
      kind: command ? fc.constant<Kind>('execute') : one(...KINDS),
      url: maybe(
        one('https://api.example.com/x', 'http://evil.test./', 'https://api.example.com@evil.test', 'not a url'),
        2,
      ),
      source: one('declared', 'known', 'guessed', 'nobody'),
      from: one('builtin', 'mcp', 'custom'),
      requiresConfirmation: fc.boolean(),
      annotations: one(
        null,
        { readOnlyHint: true },
        { readOnlyHint: true, destructiveHint: true },
        { destructiveHint: false },
      ),
      containable: fc.boolean(),
      outside: one(false, false, true),
    })
    .map(({ tool, args, agent, session, kind, url, source, from, requiresConfirmation, annotations, ...where }) =>
      someCall({
        tool: { ...tool, definition: 'def' },
        annotations,
        source: from,
        args,
        session,
        agent,
        requiresConfirmation,
        ...where,
        descriptor: { kind, source, ...(url === undefined ? {} : { url }), ...(command ? { command: 'x' } : {}) },
        grantKey: `key-${tool.name}`,
        around: command ? { cwd: '/srv/app', beside: [], key: 'around-1' } : null,
      }),
    )

const unbounded: fc.Arbitrary<Grant> = fc.record({
  id: one('g1', 'g2', 'g3'),
  scope: fc.oneof(
    one('key-read_file', 'key-run', 'key-query').map((grantKey) => ({ kind: 'exact' as const, grantKey })),
    one(...TOOLS).map((tool) => ({ kind: 'tool' as const, server: tool.server, tool: tool.name, definition: 'def' })),
    one('pg', 'Files').map((server) => ({ kind: 'server' as const, server })),
    fc
      .tuple(one(...TOOLS), one('file' as const, 'folder' as const), one(...REAL_PATHS, '/srv', '/srv/app'))
      .map(([{ server, name: tool }, kind, path]) => ({ kind, server, tool, definition: 'def', path })),
    fc.tuple(one(...TOOLS), callArgs, one('content', 'env', 'body')).map(([{ server, name: tool }, args, open]) => {
      const { [open]: _, ...fixed } = args as Record<string, never>
      return { kind: 'fields' as const, server, tool, definition: 'def', fixed, free: [open] }
    }),
    fc
      .tuple(one('api.example.com', 'evil.test'), one(undefined, undefined, 22))
      .map(([host, port]) => ({ kind: 'network' as const, host, ...(port === undefined ? {} : { port }) })),
    joined.map((when) => ({ kind: 'pattern' as const, when: when as never })),
    fc.tuple(command, one('around-1', 'around-2')).map(([test, key]) => ({
      kind: 'pattern' as const,
      when: { command: test } as never,
      around: { cwd: '/srv/app', beside: [], key },
    })),
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

/** What a grant adds to the sandbox, for some grants. */
const added = one(
  undefined,
  undefined,
  { write: ['~/out'], read: [], network: [], credentials: [] },
  { write: ['/srv/shared'], read: ['/srv/data'], network: ['api.example.com'], credentials: ['npm'] },
)

export const grant: fc.Arbitrary<Grant> = fc
  .tuple(unbounded, added)
  .map(([given, bounds]) => (bounds === undefined ? given : { ...given, bounds }))

/** A call with its risk and circumstances. */
export interface Asked {
  readonly call: FrozenCall
  readonly risk: RiskReport
  readonly circumstances: Circumstances
}

export const asked: fc.Arbitrary<Asked> = fc.boolean().chain((isCommand) =>
  fc.record({
    call: call(isCommand),
    risk: report(isCommand),
    circumstances: fc.record({
      now: fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }),
      places: fc.constant(PLACES),
      resolved: fc.constant(new Map<string, string>()),
      counters: one<Record<string, number>>(
        { calls: 0, files: 0, lines: 0 },
        { calls: 1, files: 2, lines: 2 },
        { calls: 9 },
      ),
      grants: fc.uniqueArray(grant, { maxLength: 3, selector: (one) => one.id }),
      sandbox: one('works', 'works', 'missing'),
      trustedServers: one(new Set<string>(), new Set(['pg'])),
    }),
  }),
)

export interface PolicyCase extends Asked {
  readonly set: PolicySet
}

/** A complete case: policy × call × grants. */
export const policyCase: fc.Arbitrary<PolicyCase> = fc
  .record({ set: policySet, ask: asked })
  .map(({ set, ask }) => ({ set, ...ask }))
