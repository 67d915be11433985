import { hostText, matchesHost } from '../../call/address/host-pattern.ts'
import type { FrozenCall } from '../../call/call.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { placeOf } from '../../risk/path/category.ts'
import { riskRank } from '../../risk/report/level.ts'
import type { HostUse, RiskReport } from '../../risk/report/report.ts'
import type { Circumstances, Places } from '../model/circumstances.ts'
import type { RuleBounds } from '../model/containment.ts'
import type { Grant, GrantScope, ShownWords } from '../model/grant.ts'
import { PROTECTED } from '../schema/glob-syntax.ts'
import { parseGrantPattern } from '../schema/grant-pattern.ts'
import { isAlone } from '../schema/like-command.ts'
import { type Case, type Test, type Unit, unitsOf } from './call-unit.ts'
import { compileConditions } from './conditions.ts'
import { compilePathGlob, type PathMatcher } from './glob.ts'
import { isWithinShown } from './shown-words.ts'
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

/** The id of a grant that names a host: one for the host, for exactly this call, or for such commands with this host. */
export function findNamingGrant(about: Case, use: HostUse): string | null {
  let found: Grant | null = null
  for (const grant of about.circumstances.grants) {
    if (found !== null && !isBefore(grant, found)) continue
    if (isFor(grant, about) && namesHost(grant, about, use)) found = grant
  }
  return found?.id ?? null
}

/**
 * What grants add to the sandbox of a call, and the first of these grants. A host is added to commands that may do more
 * than read: they may need it, whether or not it is written in the command.
 */
export function grantedBounds(
  about: Case,
  units: readonly Unit[],
  onlyReads: boolean,
): { readonly bounds: RuleBounds; readonly grant: string } | null {
  const adding = about.circumstances.grants.filter(
    (grant) =>
      isFor(grant, about) &&
      (grant.scope.kind === 'network'
        ? !onlyReads
        : grant.bounds !== undefined && isInScope(grant.scope, about, units)),
  )
  const first = adding.reduce<Grant | undefined>((a, b) => (a === undefined || isBefore(b, a) ? b : a), undefined)
  if (first === undefined) return null
  const all = (key: keyof RuleBounds): readonly string[] =>
    adding.flatMap(({ scope, bounds }) => {
      if (scope.kind !== 'network') return bounds?.[key] ?? []
      return key === 'network' ? [hostText(scope.host, scope.port)] : []
    })
  const bounds = { write: all('write'), read: all('read'), network: all('network'), credentials: all('credentials') }
  return { bounds, grant: first.id }
}

function namesHost({ scope, bounds }: Grant, about: Case, { host, port }: HostUse): boolean {
  if (scope.kind === 'exact') return scope.grantKey === about.call.grantKey
  if (host === null) return false
  if (scope.kind === 'pattern')
    return bounds?.network.includes(hostText(host, port)) === true && isInScope(scope, about, unitsOf(about.risk))
  if (scope.kind !== 'network') return false
  return matchesHost({ host: scope.host, port: scope.port ?? null }, { host, port }, false) && !scope.host.includes('*')
}

function isBefore(a: Grant, b: Grant): boolean {
  const spent = Number(a.lifetime.kind === 'uses') - Number(b.lifetime.kind === 'uses')
  return spent < 0 || (spent === 0 && a.id < b.id)
}

function covers(grant: Grant, about: Case, units: readonly Unit[]): boolean {
  return isFor(grant, about) && isInScope(grant.scope, about, units)
}

/** Whether a grant belongs to the session and agent of a call, and is alive. */
function isFor(grant: Grant, about: Case): boolean {
  const { call } = about
  if (grant.session !== call.session || !isSameAgent(grant, call)) return false
  if (!isAlive(grant, about.circumstances.now)) return false
  if (call.session !== null) return true
  // Without a session, only exactly the same arguments or a host are covered, and not for a session.
  return (grant.scope.kind === 'exact' || grant.scope.kind === 'network') && grant.lifetime.kind !== 'session'
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
      return isTool(scope, about)
    case 'fields':
      return isTool(scope, about) && areFieldsSame(scope, about.call.args)
    case 'file':
    case 'folder':
      return (
        isTool(scope, about) && units.every(({ path }) => isAt(scope, path?.real ?? null, about.circumstances.places))
      )
    case 'network':
      return false
    case 'server':
      return !isShell(about) && scope.server === tool.server
    case 'pattern': {
      const pattern = patternOf(scope)
      if (pattern === null || (isShell(about) && !(pattern.namesProgram && scope.around !== undefined))) return false
      // SECURITY: A11 the same words in another folder, shell or account are another command.
      if (scope.around !== undefined && scope.around.key !== about.call.around?.key) return false
      return units.every(
        (unit) =>
          isInner(unit) ||
          (isPlain(unit) && pattern.test(unit, about) === YES && isAsShown(unit, pattern.verbs, scope.shown)),
      )
    }
  }
}

type ToolScope = Extract<GrantScope, { readonly definition: string }>

function isTool(scope: ToolScope, about: Case): boolean {
  const { tool } = about.call
  const isSame = scope.server === tool.server && scope.tool === tool.name && scope.definition === tool.definition
  return isSame && !isShell(about)
}

/** SECURITY: A11 an argument that was not shown may change what the call does: it must be among the fixed or the free ones. */
export function areFieldsSame(
  { fixed, free }: Extract<GrantScope, { readonly kind: 'fields' }>,
  args: JsonObject,
): boolean {
  const kept = Object.entries(args).filter(([name, value]) => !(free.includes(name) && typeof value === 'string'))
  return canonicalJson(Object.fromEntries(kept)) === canonicalJson(fixed)
}

/**
 * SECURITY: A27 by where the path really leads, component by component. SECURITY: A11 a card that showed an ordinary file of
 * a folder did not show its secrets, or what other programs run by themselves.
 */
export function isAt(
  { kind, path }: Extract<GrantScope, { readonly kind: 'file' | 'folder' }>,
  real: string | null,
  places: Places,
): boolean {
  if (real === null) return false
  if (kind === 'file') return real === path
  return real.startsWith(`${path}/`) && !NOT_WITH_A_FOLDER.some((matches) => matches(real.normalize('NFC'), places))
}

/** What a grant or rule for a folder leaves out, as patterns of the policy language. */
export const LEFT_OUT_OF_FOLDERS = [PROTECTED, '**/.env*', '**/*.env'] as const
const NOT_WITH_A_FOLDER: readonly PathMatcher[] = [
  ...LEFT_OUT_OF_FOLDERS.map(compilePathGlob),
  (real, places) => placeOf(real, places) === 'credentials',
]

/** A command in a file that the granted one runs: covered with it up to medium risk. */
function isInner({ part, level }: Unit): boolean {
  return part?.origin !== undefined && riskRank(level) < riskRank('high')
}

/**
 * SECURITY: A11 a pattern does not cover variables set before a command, its input or its redirections:
 * `KUBECONFIG=x kubectl get pods > y` does more than `kubectl get …`.
 */
function isPlain({ part }: Unit): boolean {
  return part === null || isAlone(part)
}

/** SECURITY: A11 from medium risk on, a pattern binds the words that change where something goes or what runs. */
function isAsShown({ part, level }: Unit, verbs: readonly string[], shown: ShownWords | undefined): boolean {
  if (part === null || shown === undefined || riskRank(level) < riskRank('medium')) return true
  return isWithinShown(part, verbs, shown)
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
  readonly verbs: readonly string[]
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
  const { program = [], verb = [] } = when.command ?? {}
  const pattern = { test, namesProgram: program.length > 0, verbs: verb }
  PATTERNS.set(scope, pattern)
  return pattern
}
