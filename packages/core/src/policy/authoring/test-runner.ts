import type { Json } from '../../call/json/json.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { Places } from '../model/circumstances.ts'
import type { Supervision } from '../model/supervision.ts'
import type { PolicyTest } from '../schema/test-case.ts'

/** The result for a call. */
export interface TestJudgement {
  readonly supervision: Supervision
  readonly risk: RiskLevel
  readonly rule: string
}

/** The result of one policy test. */
export interface TestResult {
  readonly test: PolicyTest
  readonly status: 'pass' | 'fail'
  /** One line per difference; empty if it passed. */
  readonly differences: readonly string[]
}

/** Freezes, rates and evaluates one call; `at` is the time of the test in wall-clock milliseconds, if given. */
export type JudgeTest = (call: PolicyTest['call'], at: number | null) => Promise<TestJudgement> | TestJudgement

/**
 * Runs the tests of policy files. A test that can't be judged fails. `${workspace}`, `${home}`, `${temp}` and `${gate}` in its
 * arguments and folder are filled in.
 */
export async function runPolicyTests(
  tests: readonly PolicyTest[],
  judge: JudgeTest,
  places: Places,
): Promise<readonly TestResult[]> {
  const results: TestResult[] = []
  for (const test of tests) {
    const differences = await differencesOf(
      { ...test, call: fillPlaces(test.call, places) as PolicyTest['call'] },
      judge,
    )
    results.push({ test, status: differences.length === 0 ? 'pass' : 'fail', differences })
  }
  return results
}

/** A result in one line: `policy.yaml:12: pass …`. */
export function formatTestResult({ test, status, differences }: TestResult): string {
  const name =
    test.name ??
    `${test.call.server === undefined ? '' : `${test.call.server}/`}${test.call.tool} is ${test.expect.supervision}`
  return [`${test.file}:${test.line}: ${status}: ${name}`, ...differences].join('; ')
}

function fillPlaces(value: Json | PolicyTest['call'], places: Places): unknown {
  if (typeof value === 'string')
    return value.replace(/\$\{(workspace|home|temp|gate)\}/g, (_, place: keyof Places) => places[place])
  if (Array.isArray(value)) return value.map((item: Json) => fillPlaces(item, places))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillPlaces(inner as Json, places)]))
}

async function differencesOf(test: PolicyTest, judge: JudgeTest): Promise<readonly string[]> {
  let judged: TestJudgement
  try {
    judged = await judge(test.call, test.at === undefined ? null : Date.parse(test.at))
  } catch (error) {
    return [`could not be judged: ${error instanceof Error ? error.message : 'unknown error'}`]
  }
  const { supervision, risk, rule } = test.expect
  const differences: string[] = []
  if (judged.supervision !== supervision)
    differences.push(`expected ${supervision}, got ${judged.supervision} by ${judged.rule}`)
  if (risk !== undefined && judged.risk !== risk) differences.push(`expected risk ${risk}, got ${judged.risk}`)
  if (rule !== undefined && judged.rule !== rule) differences.push(`expected rule ${rule}, got ${judged.rule}`)
  return differences
}
