import type { Annotations } from '../../call/tool.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { Conditions } from '../model/rule.ts'
import { compileArgs } from './arguments.ts'
import type { Test } from './call-unit.ts'
import { compileCommand } from './command.ts'
import { compileHours } from './hours.ts'
import { compileAgent, compileKind, compileServer, compileTool } from './names.ts'
import { compileNetwork } from './network.ts'
import { compilePath } from './path.ts'
import { type Answer, inverted, NO, opposite, type Reading, UNKNOWN, YES } from './three-valued-logic.ts'
import { compileUrl } from './url.ts'

/** One compiled condition with its name, so that `explain` can name the one that failed. */
export interface Condition {
  readonly name: keyof Conditions
  readonly test: Test
}

/** Compiles the given conditions, cheap ones first. */
export function listConditions(when: Conditions, reading: Reading): readonly Condition[] {
  const listed: Condition[] = []
  const add = (name: keyof Conditions, test: Test): void => void listed.push({ name, test })
  if (when.tool) add('tool', compileTool(when.tool))
  if (when.kind) add('kind', compileKind(when.kind, reading))
  if (when.risk) add('risk', compileRisk(when.risk))
  if (when.server) add('server', compileServer(when.server))
  if (when.agent) add('agent', compileAgent(when.agent, reading))
  if (when.annotations) add('annotations', compileAnnotations(when.annotations))
  if (when.args) add('args', compileArgs(when.args, reading))
  if (when.command) add('command', compileCommand(when.command, reading))
  if (when.path) add('path', compilePath(when.path, reading))
  if (when.url) add('url', compileUrl(when.url))
  if (when.network) add('network', compileNetwork(when.network, reading))
  if (when.hours) add('hours', compileHours(when.hours))
  if (when.all) add('all', allOf(when.all.map((inner) => compileConditions(inner, reading))))
  if (when.any) add('any', anyOf(when.any.map((inner) => compileConditions(inner, reading))))
  if (when.not) add('not', not(compileConditions(when.not, inverted(reading))))
  return listed
}

/** All conditions as one test. */
export function compileConditions(when: Conditions, reading: Reading): Test {
  return allOf(listConditions(when, reading).map((condition) => condition.test))
}

/** A rule applies if its conditions match and its exception does not. Either may be unknown. */
export function compileRule(when: Conditions, unless: Conditions | null, reading: Reading): Test {
  const holds = compileConditions(when, reading)
  return unless === null ? holds : allOf([holds, not(compileConditions(unless, inverted(reading)))])
}

function allOf(tests: readonly Test[]): Test {
  const [only] = tests
  if (only && tests.length === 1) return only
  return (unit, about) => {
    let answer: Answer = YES
    for (const test of tests) {
      const one = test(unit, about)
      if (one === NO) return NO
      if (one === UNKNOWN) answer = UNKNOWN
    }
    return answer
  }
}

function anyOf(tests: readonly Test[]): Test {
  return (unit, about) => {
    let answer: Answer = NO
    for (const test of tests) {
      const one = test(unit, about)
      if (one === YES) return YES
      if (one === UNKNOWN) answer = UNKNOWN
    }
    return answer
  }
}

function not(test: Test): Test {
  return (unit, about) => opposite(test(unit, about))
}

/** Compiles a test on the unit's own risk level. */
function compileRisk(test: { readonly at_least?: RiskLevel; readonly at_most?: RiskLevel }): Test {
  const least = test.at_least === undefined ? -1 : riskRank(test.at_least)
  const most = test.at_most === undefined ? Number.POSITIVE_INFINITY : riskRank(test.at_most)
  return (unit) => {
    const rank = riskRank(unit.level)
    return rank >= least && rank <= most ? YES : NO
  }
}

/** A missing hint has the worst value. */
const WORST: Required<Annotations> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/** Compiles a test on a tool's hints. The suffix `Hint` is optional. */
function compileAnnotations(test: { readonly [hint: string]: boolean }): Test {
  const wanted = Object.entries(test).map(([name, value]) => ({ hint: hintOf(name), value }))
  return (_unit, about) => {
    let answer: Answer = YES
    for (const { hint, value } of wanted) {
      if (hint === null) answer = UNKNOWN
      else if ((about.call.annotations?.[hint] ?? WORST[hint]) !== value) return NO
    }
    return answer
  }
}

function hintOf(name: string): keyof Annotations | null {
  const full = name.endsWith('Hint') ? name : `${name}Hint`
  return Object.hasOwn(WORST, full) ? (full as keyof Annotations) : null
}
