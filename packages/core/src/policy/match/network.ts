import { matchesHost, readHostPattern } from '../../call/address/host-pattern.ts'
import type { HostUse } from '../../risk/report/report.ts'
import type { Conditions, NetworkTest } from '../model/rule.ts'
import type { Test } from './call-unit.ts'
import { compileNames } from './names.ts'
import { type Answer, isWide, NO, type Reading, UNKNOWN, YES } from './three-valued-logic.ts'

/** Matches a host that is known. */
type HostMatcher = (use: HostUse) => boolean

/** Compiles host patterns. `anyPort`: a pattern without a port names every port. */
export function compileHosts(patterns: readonly string[], anyPort: boolean): HostMatcher {
  const read = patterns.flatMap((pattern) => readHostPattern(pattern) ?? [])
  return ({ host, port }) => host !== null && read.some((pattern) => matchesHost(pattern, { host, port }, anyPort))
}

/** Compiles a test on the hosts a unit contacts. A rule that loosens must name all of them, one that tightens any. */
export function compileNetwork(test: NetworkTest, reading: Reading): Test {
  const wide = isWide(reading)
  const matches = compileHosts(test.host, wide)
  return ({ hosts, opaque }) => {
    if (hosts.length === 0) return opaque ? UNKNOWN : NO
    const answers = hosts.map((use): Answer => (use.host === null ? UNKNOWN : matches(use) ? YES : NO))
    return answers.reduce((a, b) => ((wide ? a > b : a < b) ? a : b))
  }
}

/** The hosts that a rule names: by the `network` and `url` conditions that must or may match, not by exceptions. */
export function compileNamedHosts(when: Conditions): HostMatcher | null {
  const matchers: HostMatcher[] = []
  collect(when, matchers)
  return matchers.length === 0 ? null : (use) => matchers.some((matches) => matches(use))
}

function collect({ network, url, any = [], all = [] }: Conditions, into: HostMatcher[]): void {
  if (network) into.push(compileHosts(network.host, false))
  if (url?.host) {
    const isNamed = compileNames(url.host)
    into.push(({ host }) => host !== null && (isNamed(host) || isNamed(`[${host}]`)))
  }
  for (const inner of [...any, ...all]) collect(inner, into)
}
