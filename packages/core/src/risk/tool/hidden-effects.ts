import { isThisMachine } from '../../call/address/classify.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { readName } from '../../call/names/verbs.ts'
import { nameWords, plainKey } from '../../call/names/words.ts'
import { decomposeUnproven } from '../../command/decompose.ts'
import { BOUNDED_ACTS, HIDDEN_EFFECTS } from '../../knowledge/compiled/tools.ts'
import { rateCommand } from '../command/rate-command.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { hostOf } from '../query/http-request.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { highestRisk, riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { namedValue } from './settings.ts'

const EXPIRES = finding('high', 'tool.expires', 'lets data expire and be deleted by itself', 'no')
const MIRRORS = finding('high', 'tool.mirrors', 'deletes at the destination what the source lacks', 'no')
const AUTOMATES = finding('high', 'tool.automates', 'makes a rule that deletes or forwards by itself', 'no')
const RELEASES = finding('high', 'tool.releases', 'starts a job that releases or deploys', 'partly')
const REDIRECTS = finding('high', 'tool.redirects', 'changes who is paid or who owns something', 'partly')
const STARTS = finding('high', 'tool.registers-program', 'registers a command that a program will start', 'no')
const RECONFIGURES = finding('high', 'tool.reconfigures', 'changes how a running server works', 'partly')
const PIPELINE = finding('high', 'tool.pipeline', 'changes a pipeline, which runs by itself', 'partly')
const EXPORTS = finding('high', 'tool.exports', 'copies credentials or personal data to another host', 'no')

/** Effects of a change that its name does not show: expiry, mirroring, exports, and commands in settings. */
export function rateHiddenEffects(
  call: RatedCall,
  objects: readonly JsonObject[],
  found: readonly RiskFinding[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  if (riskRank(highestRisk(found.map(({ level }) => level))) < riskRank('medium')) return []
  const { words, acts } = readName(call.tool.name)
  const hidden: RiskFinding[] = []
  if (
    setsExpiry(
      words,
      acts.map(({ word }) => word),
      objects,
    )
  )
    hidden.push(EXPIRES)
  const subject = [...words, ...nameWords(call.tool.server ?? '')]
  if (words.includes('sync') && subject.some((word) => HIDDEN_EFFECTS.mirrors.has(word))) hidden.push(MIRRORS)
  if (words.some((word) => HIDDEN_EFFECTS.exporters.has(word)) && exportsPeople(words, objects)) hidden.push(EXPORTS)
  if (subject.some((word) => HIDDEN_EFFECTS.settings.has(word))) hidden.push(...rateSettingCommands(call, objects, now))
  if (writesPipeline(objects)) hidden.push(PIPELINE)
  const [args = {}] = objects
  if (words.some((word) => HIDDEN_EFFECTS.automations.has(word)) && makesHarmfulRule(args)) hidden.push(AUTOMATES)
  if (acts.some(({ word }) => HIDDEN_EFFECTS.starters.has(word)) && startsRelease(args)) hidden.push(RELEASES)
  if (Object.keys(args).some((key) => HIDDEN_EFFECTS.sensitiveArguments.has(plainKey(key)))) hidden.push(REDIRECTS)
  if (subject.some((word) => HIDDEN_EFFECTS.programHosts.has(word)) && namesProgram(args)) hidden.push(STARTS)
  if (subject.some((word) => HIDDEN_EFFECTS.dataServers.has(word)) && setsServer(words)) hidden.push(RECONFIGURES)
  return hidden
}

/** `config_set`, `update_cluster_settings`. */
function setsServer(words: readonly string[]): boolean {
  return words.some((word) => HIDDEN_EFFECTS.serverSettings.has(word))
}

/** A lifecycle or retention rule on data that exists: a new queue or topic has none yet. */
function setsExpiry(words: readonly string[], verbs: readonly string[], objects: readonly JsonObject[]): boolean {
  if (verbs.length === 0 || verbs.includes('delete') || verbs.includes('remove')) return false
  if (words.some((word) => HIDDEN_EFFECTS.expiry.has(word)) || words.join(' ').includes('time to live')) return true
  if (
    words.some((word) => HIDDEN_EFFECTS.weakExpiry.has(word)) &&
    words.some((word) => HIDDEN_EFFECTS.stored.has(word))
  )
    return true
  if (verbs.includes('create') && !words.includes('index')) return false
  return objects
    .slice(0, MAX_OBJECTS)
    .some((object) =>
      Object.keys(object).some(
        (key) =>
          HIDDEN_EFFECTS.expiryArguments.has(plainKey(key)) ||
          nameWords(key).some((word) => HIDDEN_EFFECTS.expiry.has(word)),
      ),
    )
}

const MAX_OBJECTS = 64

/** `{ from: 'security@…', action: 'delete' }`. */
function makesHarmfulRule(args: JsonObject): boolean {
  return Object.entries(args).some(
    ([key, value]) =>
      HIDDEN_EFFECTS.automaticActs.has(plainKey(key)) &&
      textsOf(value).some((text) =>
        nameWords(text.slice(0, 256)).some((word) => HIDDEN_EFFECTS.automaticHarm.has(word)),
      ),
  )
}

/** `{ path: '.github/workflows/x.yml' }` of a tool that changes a repository elsewhere. */
function writesPipeline(objects: readonly JsonObject[]): boolean {
  return objects.slice(0, MAX_OBJECTS).some((object) =>
    Object.entries(object).some(([key, value]) => {
      if (!/^(?:path|file|file_?path|file_?name)$/i.test(key) || typeof value !== 'string') return false
      const path = value
        .slice(0, 512)
        .toLowerCase()
        .replace(/^\.?\//, '')
      return [...HIDDEN_EFFECTS.pipelineFiles].some((one) => path.startsWith(one))
    }),
  )
}

/** `{ job: 'deploy-production' }`: the job releases, and its name says that it is for real. */
function startsRelease(args: JsonObject): boolean {
  return Object.entries(args).some(([key, value]) => {
    if (!BOUNDED_ACTS.pipelines.has(plainKey(key)) || typeof value !== 'string') return false
    const words = nameWords(value.slice(0, 256))
    return words.some((word) => BOUNDED_ACTS.releasing.has(word)) && words.some((word) => PRODUCTION.test(word))
  })
}

const PRODUCTION = /^(?:prod|production|live)$/

/** A program with its arguments, as hosts keep it: `{ command: 'npx', args: ['x'] }`. */
function namesProgram(args: JsonObject): boolean {
  return typeof args['command'] === 'string' && args['command'] !== '' && Array.isArray(args['args'])
}

function exportsPeople(words: readonly string[], objects: readonly JsonObject[]): boolean {
  const [args = {}] = objects
  const goesAway = Object.entries(args).some(
    ([key, value]) =>
      nameWords(key).some((word) => HIDDEN_EFFECTS.destinations.has(word)) &&
      typeof value === 'string' &&
      isElsewhere(value),
  )
  const isPeople = (word: string): boolean => HIDDEN_EFFECTS.peopleLists.has(word)
  const isMailedOut = Object.entries(args).some(
    ([key, value]) => /to$|email|recipient/i.test(key) && typeof value === 'string' && /^\S+@\S+\.\S+$/.test(value),
  )
  if ((goesAway || isMailedOut) && words.some(isPeople)) return true
  return (
    goesAway &&
    Object.values(args)
      .flatMap(textsOf)
      .some((text) => nameWords(text.slice(0, 256)).some((word) => HIDDEN_EFFECTS.personalColumns.has(word)))
  )
}

function isElsewhere(text: string): boolean {
  const host = hostOf(text)
  return host === null ? /^(?:s?ftp|s3|gs):\/\//i.test(text) : !isThisMachine(host)
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return hostOf(value) === null ? [value] : []
  return Array.isArray(value) ? value.slice(0, MAX_OBJECTS).filter((one) => typeof one === 'string') : []
}

const MAX_COMMAND = 512
const MAX_COMMANDS = 16
/** A value that a shell would run, not only name. */
const RUNS = /\$\(|`[^`]+`|[|;&]\s*\S|^\s*(?:sudo\s+)?(?:rm|curl|wget|bash|sh|nc|dd|mkfs|chmod|chown)\s/
const PROGRAM_KEY = /(?:path|shell|executable|interpreter|binary|program|script|install|command|hook)(?:$|[^a-z])/i
/** A program in a place where anybody may put one. */
const LOOSE_PROGRAM = /^(?:\/tmp\/|\/var\/tmp\/|\/dev\/shm\/)\S+$/
const COMMAND_KEY = /command|shell|exec|hook|script|cmd|prompt_command|editor|pager|install/i

const HIDDEN = finding('high', 'tool.hidden-command', 'a setting holds a command that would be risky to run', 'no')

function isLooseProgram(key: string, text: string): boolean {
  return PROGRAM_KEY.test(key) && LOOSE_PROGRAM.test(text)
}

/** Rates values of settings like commands, and reports those that would be high by themselves. */
function rateSettingCommands(
  call: RatedCall,
  objects: readonly JsonObject[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const texts = objects.slice(0, MAX_OBJECTS).flatMap((object) =>
    [...Object.entries(object), ...namedValue(object)].flatMap(([key, value]) => {
      if (HIDDEN_EFFECTS.prose.has(plainKey(key))) return []
      return textsOf(value).filter(
        (text) => text.length <= MAX_COMMAND && (RUNS.test(text) || COMMAND_KEY.test(key) || isLooseProgram(key, text)),
      )
    }),
  )
  for (const text of texts.slice(0, MAX_COMMANDS)) {
    if (LOOSE_PROGRAM.test(text)) return [HIDDEN]
    const level = highestRisk(rateCommand(decomposeUnproven(text), call.cwd, now).findings.map((one) => one.level))
    if (riskRank(level) >= riskRank('high'))
      return [finding(level, 'tool.hidden-command', 'a setting holds a command that would be risky to run', 'no')]
  }
  return []
}
