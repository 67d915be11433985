import { shellQuote } from '../../call/arguments/command-words.ts'
import { typesInTerminal } from '../../call/arguments/terminal-input.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { isDispatcher, readName } from '../../call/names/verbs.ts'
import { nameWords, plainKey } from '../../call/names/words.ts'
import { decomposeUnproven } from '../../command/decompose.ts'
import { NAME_WORDS, PROGRAM_TOOLS, VERBS } from '../../knowledge/compiled/tools.ts'
import type { Effect } from '../../knowledge/tools.ts'
import { rateCommand } from '../command/rate-command.ts'
import { makesCalls } from '../nested-calls/finder.ts'
import { type InnerReading, type InnerReadings, innerReadings } from '../nested-calls/interpretations.ts'
import type { LocatedPath, RiskCircumstances } from '../path/located-path.ts'
import { findGraphql } from '../query/graphql.ts'
import { hostOf, rateHost, rateRequest, requestOf } from '../query/http-request.ts'
import { rateCypher, rateStoreQuery } from '../query/nosql.ts'
import { rateSql } from '../query/sql/rate-sql.ts'
import { finding, type RiskFinding, sourced } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { type NamedAct, rateName } from '../tool-name/rate-name.ts'
import { ifOneRow } from './bounded-acts.ts'
import { codeCommand, pageCode, ratePageCode, runsInPage } from './code.ts'
import { flagEffects } from './environment-and-flags.ts'
import { toolExtent } from './magnitude.ts'
import { rateDeletion } from './rate-kind.ts'
import { rateSentSecret, rateShownSecret } from './secrets.ts'
import { rateSettings } from './settings.ts'
import { rateLabel } from './user-interface.ts'
import { worstAction } from './worst-action.ts'

/** A call of a tool without a description, and the facts about it. */
export interface UndescribedCall {
  readonly call: RatedCall
  readonly objects: readonly JsonObject[]
  readonly paths: readonly LocatedPath[]
  readonly now: RiskCircumstances
  /** Its command is rated separately. */
  readonly runs: boolean
  /** An argument asks for a dry run. */
  readonly dry: boolean
  /** The number of calls around this one. Nested calls are rated together with the outermost. */
  readonly depth: number
  /** A trusted server declares it read-only. */
  readonly trusted: boolean
  /** Rates a nested call by its tool alone. */
  readonly rateInner: (call: RatedCall, runs: boolean) => readonly RiskFinding[]
}

/**
 * Rates a tool without a description: by the contents of its arguments (SQL, GraphQL, code, nested calls, a request), and
 * by the verbs of its name and of actions among its arguments. Without any of these it is medium.
 */
export function rateUndescribedTool(guess: UndescribedCall): readonly RiskFinding[] {
  if (guess.depth > 0) return rateSeen(guess, null)
  const inner = innerReadings(guess.call)
  return [...rateSeen(guess, inner), ...rateMaybeCalls(inner, guess)]
}

/** `inner` is null for a nested call: calls inside it were found with the outermost. */
function rateSeen(guess: UndescribedCall, inner: InnerReadings | null): readonly RiskFinding[] {
  const held = rateContents(guess, inner)
  const found = worstAction(guess.call, guess.objects)
  // A read needs a name that is clearly one; otherwise the tool is unknown.
  const act = found?.level === 'none' && held === null && guess.call.descriptor.kind === 'other' ? null : found
  const seen = held?.every(({ level }) => riskRank(level) <= riskRank('low')) === true
  if (act === null) {
    const flags = rateOptions(seen ? SEEN_READ : NO_ACT, guess)
    if (held !== null || guess.runs) return [...(held ?? []), ...flags]
    if (guess.trusted) return [finding('none', 'tool.read', 'its trusted server declares it read-only')]
    return [finding('medium', 'tool.undescribed', 'the tool has no description', 'unknown'), ...flags]
  }
  // Where the code or the request is visible, it is rated instead of the verb.
  const isRequest = requestOf(guess.call) !== null && (act.effect === 'small' || isDispatcher(guess.call.tool.name))
  const isTyped = guess.runs && typesInTerminal(guess.call.tool.name, guess.call.tool.server ?? '')
  const shown = isTyped || (act.effect === 'run' && (held !== null || guess.runs)) || (isRequest && held !== null)
  return [
    ...(held ?? []),
    ...(shown ? [] : [rateAct(act, guess)]),
    ...rateOptions(shown && seen ? SEEN_READ : act, guess),
  ]
}

/** What a name without a known verb could mean. */
const NO_ACT: NamedAct = { effect: 'write', level: 'medium', all: false }
/** Its contents only read. */
const SEEN_READ: NamedAct = { effect: 'read', level: 'none', all: false }

function rateContents(guess: UndescribedCall, inner: InnerReadings | null): readonly RiskFinding[] | null {
  const { call, objects, now } = guess
  const { descriptor, tool, args } = call
  const found: RiskFinding[] = []
  let any = false
  const add = (more: readonly RiskFinding[]): void => {
    any = true
    for (const one of more) found.push(one)
  }
  if (descriptor.sql !== undefined)
    add([ifOnlyAnalysed(call, ifOneRow(descriptor.sql, ifLocal(call, rateSql(descriptor.sql))))])
  else {
    for (const object of objects) {
      const text = object['query'] ?? object['cypher']
      const cypher = typeof text === 'string' && isGraphTool(call) ? rateCypher(text) : null
      if (cypher !== null) add([cypher])
    }
  }
  const graphql = findGraphql(tool.name, objects)
  if (graphql !== null) {
    add(rateMutations(graphql.mutations))
    if (graphql.mutations.length > 0) found.push(...rateSettings(call, [graphql.given]))
  }
  if (inner === null) {
    if (makesCalls(call)) add([])
  } else if (inner.missed !== 'nothing' || inner.readings.some(({ isMaybe }) => !isMaybe))
    add(rateInnerCalls(inner, guess))
  if (descriptor.kind === 'execute') {
    const line = codeCommand(`${tool.name} ${tool.server ?? ''}`, args)
    if (typeof line === 'string' && !runsInPage(tool.name, tool.server))
      add(rateCommand(decomposeUnproven(line), call.cwd, now).findings)
  }
  const code = pageCode(call)
  if (code !== undefined) add([ratePageCode(code)])
  const ended = rateEndedProcess(call, objects, now)
  if (ended !== null) add(ended)
  const request = requestOf(call)
  if (request !== null) add(rateRequest(request.method, request.urls))
  else if (descriptor.url !== undefined)
    for (const url of descriptor.urls ?? [descriptor.url]) found.push(...rateHost(hostOf(url), url))
  const store = rateStoreQuery(call, objects)
  if (store !== null) add([store])
  return any || found.length > 0 ? found : null
}

/** Each field of a mutation is rated like a tool of that name. */
function rateMutations(fields: readonly string[]): readonly RiskFinding[] {
  if (fields.length === 0) return [finding('none', 'graphql.query', 'only reads')]
  return fields.map((field) => {
    const act = rateName(field)
    const level = act === null || riskRank(act.level) < riskRank('medium') ? 'medium' : act.level
    return finding(level, 'graphql.mutation', 'changes something through GraphQL')
  })
}

function rateAct(act: NamedAct, given: UndescribedCall): RiskFinding {
  const found = rateEffect(act, given)
  return act.row === undefined ? found : sourced(found, { file: 'knowledge/tools/verbs.yaml', line: act.row.line })
}

function rateEffect(act: NamedAct, { call, paths, dry, runs }: UndescribedCall): RiskFinding {
  const { effect } = act
  const { reason, undo } = VERBS.effects[effect]
  if (effect === 'look') return finding(act.level, 'tool.read', reason)
  if (effect === 'read' && riskRank(act.level) <= riskRank('low'))
    return finding(act.level, 'tool.read', `${reason}, going by its name`)
  if (effect === 'read') return finding(act.level, 'tool.secret', 'shows secrets or the environment', 'no')
  const words = nameWords(call.tool.name)
  const isFile = words.every((word) => NAME_WORDS.fileDeletions.has(word)) && isOnDisk(call)
  if (effect === 'destroy' && paths.length > 0 && !runs && isFile)
    return rateDeletion(paths, words.includes('file') || words.includes('note'))
  const isGrave = riskRank(act.level) >= riskRank('high')
  if (dry && isGrave)
    return finding('medium', 'tool.dry-run', `${reason}, unless the tool honors the dry-run flag`, 'unknown')
  const text = `${reason}, going by its name`
  return finding(act.level, `tool.${effect}`, text, isGrave ? undo : undefined, toolExtent(call.args, act.all))
}

/** Paths may also be in a repository, a bucket or a cloud drive. */
function isOnDisk({ tool, args }: RatedCall): boolean {
  const elsewhere = ['repo', 'repository', 'owner', 'bucket', 'branch', 'project_id', 'projectId', 'drive', 'driveId']
  if (elsewhere.some((name) => Object.hasOwn(args, name))) return false
  return !nameWords(tool.server ?? '').some((word) =>
    /^(?:github|gitlab|bitbucket|drive|dropbox|onedrive|sharepoint|s3|gcs|box|ftp|sftp)$/.test(word),
  )
}

/** Rates flags, filters and settings: `{ force: true }`, `{ delete: true }`, `{ filter: {} }`. */
function rateOptions(act: NamedAct, { call, objects, dry }: UndescribedCall): readonly RiskFinding[] {
  const secrets = rateSentSecret(call)
  const changes = !isRead(act.effect) || riskRank(act.level) > riskRank('low')
  const leaves = changes || call.descriptor.url !== undefined || call.tool.server !== null
  const sent = secrets !== null && leaves ? [secrets] : []
  if (dry) return sent
  const { destroys, forces, everything } = flagEffects(objects)
  const found: RiskFinding[] = [...sent]
  const label = rateLabel(call.tool.name, call.tool.server, objects)
  if (label !== null) found.push(label)
  if (changes) found.push(...rateSettings(call, objects))
  const reveals = rateShownSecret(call, objects)
  if (reveals !== null) found.push(reveals)
  if (destroys) found.push(finding('high', 'tool.delete-flag', 'a flag requests deletion', 'no'))
  if (forces && (changes || act.effect === 'small'))
    found.push(finding('high', 'tool.force', 'a flag overrides safety checks', 'no'))
  if (act.effect === 'destroy' && call.args['remote'] === true)
    found.push(finding('high', 'tool.delete-flag', 'deletes it for everyone, not only locally', 'no'))
  if (everything && (changes || destroys)) {
    const whole = (act.effect === 'destroy' && riskRank(act.level) >= riskRank('high')) || destroys
    const level = whole ? 'critical' : 'high'
    found.push(finding(level, 'tool.everything', 'applies to everything', 'no', { reach: 'all' }))
  }
  return found
}

function isRead(effect: Effect): boolean {
  return effect === 'read' || effect === 'look'
}

function isGraphTool({ tool }: RatedCall): boolean {
  return [...nameWords(tool.name), ...nameWords(tool.server ?? '')].some((word) =>
    /^(?:neo4j|cypher|memgraph|graph)$/.test(word),
  )
}

/** `explain_query` and `validate_sql` receive SQL to analyse, and may still run it. */
function ifOnlyAnalysed({ tool, args }: RatedCall, rated: RiskFinding): RiskFinding {
  const words = nameWords(tool.name)
  const [first] = words
  const plans = first === 'analyze' && words.at(-1) === 'plan'
  const asks =
    plans || /^(?:explain|validate|parse|lint|format|describe|estimate|dry|dryrun|preview|simulate)$/.test(first ?? '')
  if (!asks || args['analyze'] === true || riskRank(rated.level) <= riskRank('medium')) return rated
  return finding('medium', 'sql.asked-about', 'analyzes SQL that changes data, and may run it', 'unknown')
}

const LOCAL_RULES: ReadonlySet<string> = new Set(['sql.insert', 'sql.update', 'sql.create', 'sql.alter', 'sql.replace'])

/** Adding and changing rows is medium in a local database. */
function ifLocal({ tool, args }: RatedCall, rated: RiskFinding): RiskFinding {
  if (!LOCAL_RULES.has(rated.rule)) return rated
  const words = [...nameWords(tool.name), ...nameWords(tool.server ?? '')]
  const host = args['host'] ?? args['hostname']
  const here = words.includes('sqlite') || words.includes('duckdb') || host === 'localhost' || host === '127.0.0.1'
  return here ? { ...rated, level: 'medium' } : rated
}

/** Rates the calls nested in a call, each by itself. */
function rateInnerCalls({ readings, missed }: InnerReadings, guess: UndescribedCall): readonly RiskFinding[] {
  const found = readings.filter(({ isHome, isMaybe }) => isHome && !isMaybe).flatMap((one) => rateOne(one, guess))
  if (missed === 'nothing') return found
  if (missed === 'unclear')
    return [...found, finding('high', 'tool.inner-unknown', 'makes calls that can’t all be parsed', 'unknown')]
  return [...found, finding('high', 'tool.deep', 'makes too many or too deeply nested calls to analyze', 'unknown')]
}

/** Rates possible calls, which count only if their name shows something. */
function rateMaybeCalls({ readings }: InnerReadings, guess: UndescribedCall): readonly RiskFinding[] {
  return readings
    .filter(({ isHome, isMaybe }) => isHome && isMaybe)
    .flatMap((one) => rateOne(one, guess))
    .filter(({ rule }) => rule !== 'tool.undescribed')
}

function rateOne({ call, command }: InnerReading, { now, rateInner }: UndescribedCall): readonly RiskFinding[] {
  const found: RiskFinding[] = command === null ? [] : rateCommand(command, call.cwd, now).findings
  for (const one of rateInner(call, command !== null)) found.push(one)
  return found
}

/** Rates `kill_process { pid: 1 }` like the command `kill`; null for any other call. */
function rateEndedProcess(
  { tool, cwd }: RatedCall,
  objects: readonly JsonObject[],
  now: RiskCircumstances,
): readonly RiskFinding[] | null {
  const { words, acts } = readName(tool.name)
  if (
    !acts.some(({ word }) => PROGRAM_TOOLS.processEnders.has(word)) ||
    !words.some((word) => PROGRAM_TOOLS.processes.has(word))
  )
    return null
  const lines = Object.entries(objects[0] ?? {}).flatMap(([key, value]) => {
    const name = plainKey(key)
    const given = (Array.isArray(value) ? value : [value]).filter(
      (one) => typeof one === 'number' || (typeof one === 'string' && one.length <= 128 && one !== ''),
    )
    const list = given.map((one) => shellQuote(String(one))).join(' ')
    if (list === '') return []
    if (/^(?:pids?|processids?)$/.test(name)) return [`kill -- ${list}`]
    return /^(?:name|process|processname|pattern)$/.test(name) ? [`pkill -- ${list}`] : []
  })
  return lines.length === 0 ? null : rateCommand(decomposeUnproven(lines.join('\n')), cwd, now).findings
}
