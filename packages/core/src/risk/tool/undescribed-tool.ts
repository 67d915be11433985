import { typesInTerminal } from '../../call/arguments/terminal-input.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { isDispatcher } from '../../call/names/verbs.ts'
import { nameWords } from '../../call/names/words.ts'
import { decompose } from '../../command/decompose.ts'
import { NAME_WORDS, VERBS } from '../../knowledge/compiled/tools.ts'
import type { Effect } from '../../knowledge/tools.ts'
import { rateCommand } from '../command/rate-command.ts'
import { makesCalls } from '../nested-calls/finder.ts'
import { type InnerReadings, innerReadings } from '../nested-calls/interpretations.ts'
import type { LocatedPath, RiskCircumstances } from '../path/located-path.ts'
import { rateCypher } from '../query/cypher.ts'
import { findGraphql } from '../query/graphql.ts'
import { requestOf } from '../query/http-request.ts'
import { rateStoreQuery } from '../query/nosql.ts'
import { hostOf, rateHost, rateRequest } from '../query/rate-http-request.ts'
import { rateSql } from '../query/sql/rate-sql.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rated-call.ts'
import { type NamedAct, rateName } from '../tool-name/rate-name.ts'
import { toolExtent } from './affected-targets.ts'
import { codeCommand, runsInPage } from './code.ts'
import { forceOf } from './environment-and-flags.ts'
import { rateSentSecrets } from './outgoing-secrets.ts'
import { pageCode, ratePageCode } from './page-code.ts'
import { rateEndedProcess } from './process-signal.ts'
import { rateDeletion } from './rate-kind.ts'
import { rateInnerCalls, rateMaybeCalls } from './rate-nested-calls.ts'
import { rateReveal } from './secret-disclosure.ts'
import { rateSettings } from './settings.ts'
import { rateLabel } from './ui-label.ts'
import { worstAct } from './worst-action.ts'

/** What is known of a call whose tool nobody described. */
export interface Guess {
  readonly call: RatedCall
  readonly objects: readonly JsonObject[]
  readonly paths: readonly LocatedPath[]
  readonly now: RiskCircumstances
  /** Its command is rated apart. */
  readonly runs: boolean
  /** An argument asks for a dry run. */
  readonly dry: boolean
  /** How many calls stand around it: those inside it are rated with the outermost. */
  readonly depth: number
  /** A trusted server says that it only reads. */
  readonly trusted: boolean
  /** Rates a call inside this one, by its tool alone. */
  readonly rateInner: (call: RatedCall, runs: boolean) => readonly RiskFinding[]
}

/**
 * Rates a tool that nobody described: by what its arguments hold (SQL, GraphQL, code, other calls, a request), and by
 * what its name and the actions among its arguments admit to. Without any of these it stays at medium.
 */
export function rateGuess(guess: Guess): readonly RiskFinding[] {
  if (guess.depth > 0) return rateSeen(guess, null)
  const inner = innerReadings(guess.call)
  return [...rateSeen(guess, inner), ...rateMaybeCalls(inner, guess)]
}

/** `inner` is null for a call inside another: those inside it in turn were found with the outermost. */
function rateSeen(guess: Guess, inner: InnerReadings | null): readonly RiskFinding[] {
  const held = rateContents(guess, inner)
  const found = worstAct(guess.call, guess.objects)
  // A read needs a name that is nothing else; otherwise nobody has said what it does.
  const act = found?.level === 'none' && held === null && guess.call.descriptor.kind === 'other' ? null : found
  const seen = held?.every(({ level }) => riskRank(level) <= riskRank('low')) === true
  if (act === null) {
    const flags = rateForce(seen ? SEEN_READ : NO_ACT, guess)
    if (held !== null || guess.runs) return [...(held ?? []), ...flags]
    if (guess.trusted) return [finding('none', 'tool.read', 'its server, which is trusted, says that it only reads')]
    return [finding('medium', 'tool.undescribed', 'nobody described this tool', 'unknown'), ...flags]
  }
  // Running is judged by what is run, and a request by where it goes, where that can be seen.
  const isRequest = requestOf(guess.call) !== null && (act.effect === 'small' || isDispatcher(guess.call.tool.name))
  const isTyped = guess.runs && typesInTerminal(guess.call.tool.name, guess.call.tool.server ?? '')
  const shown = isTyped || (act.effect === 'run' && (held !== null || guess.runs)) || (isRequest && held !== null)
  return [
    ...(held ?? []),
    ...(shown ? [] : [rateAct(act, guess)]),
    ...rateForce(shown && seen ? SEEN_READ : act, guess),
  ]
}

/** What a name that tells nothing could mean. */
const NO_ACT: NamedAct = { effect: 'write', level: 'medium', all: false }
/** What it holds only reads. */
const SEEN_READ: NamedAct = { effect: 'read', level: 'none', all: false }

function rateContents(guess: Guess, inner: InnerReadings | null): readonly RiskFinding[] | null {
  const { call, objects, now } = guess
  const { descriptor, tool, args } = call
  const found: RiskFinding[] = []
  let any = false
  const add = (more: readonly RiskFinding[]): void => {
    any = true
    for (const one of more) found.push(one)
  }
  if (descriptor.sql !== undefined) add([onlyAsked(call, atHome(call, rateSql(descriptor.sql)))])
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
    const line = codeCommand(tool.name, args)
    if (typeof line === 'string' && !runsInPage(tool.name, tool.server))
      add(rateCommand(decompose(line), call.cwd, now).findings)
  }
  const code = pageCode(call)
  if (code !== undefined) add([ratePageCode(code)])
  const ended = rateEndedProcess(call, objects, now)
  if (ended !== null) add(ended)
  const request = requestOf(call)
  if (request !== null) add(rateRequest(request.method, request.addresses))
  else if (descriptor.url !== undefined)
    for (const url of descriptor.urls ?? [descriptor.url]) found.push(...rateHost(hostOf(url), url))
  const store = rateStoreQuery(call, objects)
  if (store !== null) add([store])
  return any || found.length > 0 ? found : null
}

/** Each field of a mutation is a tool of its own name. */
function rateMutations(fields: readonly string[]): readonly RiskFinding[] {
  if (fields.length === 0) return [finding('none', 'graphql.query', 'only asks')]
  return fields.map((field) => {
    const act = rateName(field)
    const level = act === null || riskRank(act.level) < riskRank('medium') ? 'medium' : act.level
    return finding(level, 'graphql.mutation', 'changes something through GraphQL')
  })
}

function rateAct(act: NamedAct, { call, paths, dry, runs }: Guess): RiskFinding {
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
    return finding('medium', 'tool.dry-run', `${reason}, unless it honours the dry run asked for`, 'unknown')
  const text = `${reason}, going by its name`
  return finding(act.level, `tool.${effect}`, text, isGrave ? undo : undefined, toolExtent(call.args, act.all))
}

/** A repository, a bucket or a drive elsewhere has paths too. */
function isOnDisk({ tool, args }: RatedCall): boolean {
  const elsewhere = ['repo', 'repository', 'owner', 'bucket', 'branch', 'project_id', 'projectId', 'drive', 'driveId']
  if (elsewhere.some((name) => Object.hasOwn(args, name))) return false
  return !nameWords(tool.server ?? '').some((word) =>
    /^(?:github|gitlab|bitbucket|drive|dropbox|onedrive|sharepoint|s3|gcs|box|ftp|sftp)$/.test(word),
  )
}

/** What flags and filters add: `{ force: true }`, `{ delete: true }`, `{ filter: {} }`. */
function rateForce(act: NamedAct, { call, objects, dry }: Guess): readonly RiskFinding[] {
  const secrets = rateSentSecrets(call)
  const changes = !isRead(act.effect) || riskRank(act.level) > riskRank('low')
  const sent = secrets !== null && (changes || call.descriptor.url !== undefined) ? [secrets] : []
  if (dry) return sent
  const { destroys, forces, everything } = forceOf(objects)
  const found: RiskFinding[] = [...sent]
  const label = rateLabel(call.tool.name, call.tool.server, objects)
  if (label !== null) found.push(label)
  if (changes) found.push(...rateSettings(call, objects))
  const reveals = rateReveal(call, objects)
  if (reveals !== null) found.push(reveals)
  if (destroys) found.push(finding('high', 'tool.delete-flag', 'a flag asks it to remove something', 'no'))
  if (forces && (changes || act.effect === 'small'))
    found.push(finding('high', 'tool.force', 'a flag tells it to go on regardless', 'no'))
  if (act.effect === 'destroy' && call.args['remote'] === true)
    found.push(finding('high', 'tool.delete-flag', 'removes it for everybody, not only here', 'no'))
  if (everything && (changes || destroys)) {
    const whole = (act.effect === 'destroy' && riskRank(act.level) >= riskRank('high')) || destroys
    const level = whole ? 'critical' : 'high'
    found.push(finding(level, 'tool.everything', 'is meant for everything there is', 'no', { reach: 'all' }))
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

/** `explain_query` and `validate_sql` are given SQL to talk about; nobody knows that they do not run it. */
function onlyAsked({ tool, args }: RatedCall, rated: RiskFinding): RiskFinding {
  const [first] = nameWords(tool.name)
  const asks = /^(?:explain|validate|parse|lint|format|describe|estimate)$/.test(first ?? '')
  if (!asks || args['analyze'] === true || riskRank(rated.level) <= riskRank('medium')) return rated
  return finding('medium', 'sql.asked-about', 'is given SQL that changes data, to talk about it', 'unknown')
}

const HOME_RULES: ReadonlySet<string> = new Set(['sql.insert', 'sql.update', 'sql.create', 'sql.alter', 'sql.replace'])

/** On a database that is a file of its own or on this machine, adding and changing rows is medium. */
function atHome({ tool, args }: RatedCall, rated: RiskFinding): RiskFinding {
  if (!HOME_RULES.has(rated.rule)) return rated
  const words = [...nameWords(tool.name), ...nameWords(tool.server ?? '')]
  const host = args['host'] ?? args['hostname']
  const here = words.includes('sqlite') || words.includes('duckdb') || host === 'localhost' || host === '127.0.0.1'
  return here ? { ...rated, level: 'medium' } : rated
}
