import { freezeCall, withOwnDescription } from '../../call/freeze/freeze-call.ts'
import { decomposeCall } from '../../command/decompose-call.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { rateRisk } from '../../risk/rate-risk.ts'
import { compilePolicy } from '../compile/compiled-policy.ts'
import { evaluateCall } from '../evaluate/evaluate.ts'
import { gatherCircumstances } from '../evaluate/gather-circumstances.ts'
import { withStatedRisk } from '../evaluate/stated-risk.ts'
import type { PolicySet } from '../model/rule.ts'
import { TEST_PLACES } from './test-places.ts'
import type { JudgeTest } from './test-runner.ts'

const WORKS = { kind: 'works', name: 'bubblewrap' } as const
const MISSING = { kind: 'missing', why: 'the test says so', fix: '' } as const

/** A Monday at noon, for tests without a time. */
const NOON = 1_767_614_400_000
const MAX_BYTES = 1024 * 1024

/**
 * Judges policy tests in isolation: no store, session, grants, counters or files. Paths are taken literally, so that a test
 * gives the same result everywhere.
 */
export function createHermeticJudge(set: PolicySet, crypto: Crypto): JudgeTest {
  const policy = compilePolicy(set)
  return async ({ tool, server, args, cwd, agent, annotations, sandbox = true }, at) => {
    const frozen = freezeCall(
      {
        id: 'test',
        tool: {
          name: tool,
          ...(server === undefined ? {} : { server }),
          ...(annotations === undefined ? {} : { annotations }),
        },
        args,
        ...(cwd === undefined ? {} : { cwd: spelledOut(cwd, TEST_PLACES.workspace) }),
        ...(agent === undefined ? {} : { agent: { name: agent } }),
        source: server === undefined ? 'builtin' : 'mcp',
        containable: server === undefined,
      },
      { crypto, session: null, cwd: TEST_PLACES.workspace, newId: () => 'test', maxBytes: MAX_BYTES },
    )
    const call = withOwnDescription(frozen, set.rating?.knowledge, {}, crypto)
    const command = decomposeCall(call)
    const { circumstances } = await gatherCircumstances(call, command, {
      ports: {
        clock: { now: () => at ?? NOON },
        targets: { resolve: async (path, from) => spelledOut(path, from) },
        store: { counted: async () => 0 },
        sandbox: { status: () => (sandbox ? WORKS : MISSING) },
      },
      places: TEST_PLACES,
      limits: policy.limits,
      rating: set.rating,
      grants: [],
    })
    const risk = withStatedRisk(call, rateRisk(call, command, circumstances), policy, circumstances)
    const verdict = evaluateCall(call, risk, policy, circumstances)
    return { supervision: verdict.supervision, risk: risk.level, rule: verdict.rule.id }
  }
}

/** Makes a path absolute without looking at files. */
function spelledOut(path: string, cwd: string): string {
  const rooted = path === '~' || path.startsWith('~/') ? `${TEST_PLACES.home}/${path.slice(2)}` : path
  const kept: string[] = []
  for (const segment of (rooted.startsWith('/') ? rooted : `${cwd}/${rooted}`).split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}
