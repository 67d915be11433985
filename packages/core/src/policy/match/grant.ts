import type { FrozenCall } from '../../call/call.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Circumstances } from '../model/circumstances.ts'
import type { Grant, GrantScope } from '../model/grant.ts'
import { parseGrantPattern } from '../schema/grant-pattern.ts'
import { type Case, type Test, type Unit, unitsOf } from './call-unit.ts'
import { compileConditions } from './conditions.ts'
import { YES } from './three-valued-logic.ts'

/**
 * Whether a grant covers a call. Uncertainty means no. SECURITY: A10 and A11, a grant of another session or agent covers
 * nothing, and a shell is covered only by exact arguments or a command pattern, never by name.
 */
export function grantCovers(grant: Grant, call: FrozenCall, risk: RiskReport, circumstances: Circumstances): boolean {
  return covers(grant, { call, risk, circumstances }, unitsOf(risk))
}

/** The id of a grant that covers the call, preferring grants without a use count, then the smallest id. */
export function findGrant(about: Case, units: readonly Unit[]): string | null {
  let found: Grant | null = null
  for (const grant of about.circumstances.grants) {
    if ((found === null || isBefore(grant, found)) && covers(grant, about, units)) found = grant
  }
  return found?.id ?? null
}

function isBefore(a: Grant, b: Grant): boolean {
  const spent = Number(a.lifetime.kind === 'uses') - Number(b.lifetime.kind === 'uses')
  return spent < 0 || (spent === 0 && a.id < b.id)
}

function covers(grant: Grant, about: Case, units: readonly Unit[]): boolean {
  const { call } = about
  if (grant.session !== call.session || !isSameAgent(grant, call)) return false
  if (!isAlive(grant, about.circumstances.now)) return false
  // Without a session, only exactly the same arguments are covered.
  if (call.session === null && (grant.scope.kind !== 'exact' || grant.lifetime.kind === 'session')) return false
  return isInScope(grant.scope, about, units)
}

function isSameAgent(grant: Grant, call: FrozenCall): boolean {
  const path = [...call.agent.parents, call.agent.name]
  return path.length === grant.agent.length && path.every((name, at) => name === grant.agent[at])
}

function isAlive(grant: Grant, now: number): boolean {
  const { lifetime } = grant
  if (lifetime.kind === 'until') return now < lifetime.at
  return lifetime.kind === 'session' || lifetime.uses > 0
}

function isInScope(scope: GrantScope, about: Case, units: readonly Unit[]): boolean {
  const { tool, grantKey } = about.call
  switch (scope.kind) {
    case 'exact':
      return scope.grantKey === grantKey
    case 'tool':
      return (
        !isShell(about) &&
        scope.server === tool.server &&
        scope.tool === tool.name &&
        scope.definition === tool.definition
      )
    case 'server':
      return !isShell(about) && scope.server === tool.server
    case 'pattern': {
      const pattern = patternOf(scope)
      if (pattern === null || (isShell(about) && !(pattern.namesProgram && scope.around !== undefined))) return false
      // SECURITY: A11 the same words in another folder, shell or account are another command.
      if (scope.around !== undefined && scope.around.key !== about.call.around?.key) return false
      return units.every((unit) => isPlain(unit) && pattern.test(unit, about) === YES)
    }
  }
}

/**
 * SECURITY: A11 a pattern does not cover variables set before a command, its input or its redirections:
 * `KUBECONFIG=x kubectl get pods > y` does more than `kubectl get …`.
 */
function isPlain({ part }: Unit): boolean {
  if (part === null) return true
  const isAlone = part.assignments.length === 0 && part.via.length === 0
  return isAlone && part.stdin.kind === 'none' && part.redirections.every(({ target }) => target === '/dev/null')
}

/** Whether a pattern's conditions are valid. Other scopes always are. */
export function isReadable(scope: GrantScope): boolean {
  return scope.kind !== 'pattern' || patternOf(scope) !== null
}

function isShell(about: Case): boolean {
  const { kind, command, argv } = about.call.descriptor
  return kind === 'execute' || command !== undefined || argv !== undefined || about.risk.parts.length > 0
}

interface Pattern {
  readonly test: Test
  readonly namesProgram: boolean
}

const PATTERNS = new WeakMap<GrantScope, Pattern | { readonly broken: true }>()

function patternOf(scope: GrantScope & { readonly kind: 'pattern' }): Pattern | null {
  const known = PATTERNS.get(scope)
  if (known) return 'broken' in known ? null : known
  const when = parseGrantPattern(scope.when)
  if (when === null) {
    PATTERNS.set(scope, { broken: true })
    return null
  }
  const test = compileConditions(when, { tightens: false, negated: false })
  const pattern = { test, namesProgram: (when.command?.program?.length ?? 0) > 0 }
  PATTERNS.set(scope, pattern)
  return pattern
}
