import { isThisMachine } from '../../call/address/classify.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { readName } from '../../call/names/verbs.ts'
import { nameWords, plainKey } from '../../call/names/words.ts'
import { decomposeUnproven } from '../../command/decompose.ts'
import { BOUNDED_ACTS } from '../../knowledge/compiled/tools.ts'
import { rateCommand } from '../command/rate-command.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { hostOf } from '../query/http-request.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { highestRisk, riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rating-input.ts'

const EXPIRES = finding('high', 'tool.expires', 'lets data expire and be deleted by itself', 'no')
const MIRRORS = finding('high', 'tool.mirrors', 'deletes at the destination what the source lacks', 'no')
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
  if (words.includes('sync') && subject.some((word) => BOUNDED_ACTS.mirrors.has(word))) hidden.push(MIRRORS)
  if (words.some((word) => BOUNDED_ACTS.exporters.has(word)) && exportsPeople(objects)) hidden.push(EXPORTS)
  if (words.some((word) => BOUNDED_ACTS.settings.has(word))) hidden.push(...rateSettingCommands(call, objects, now))
  return hidden
}

/** A lifecycle or retention rule on data that exists: a new queue or topic has none yet. */
function setsExpiry(words: readonly string[], verbs: readonly string[], objects: readonly JsonObject[]): boolean {
  if (verbs.length === 0 || verbs.includes('delete') || verbs.includes('remove')) return false
  if (words.some((word) => BOUNDED_ACTS.expiry.has(word)) || words.join(' ').includes('time to live')) return true
  if (verbs.includes('create') && !words.includes('index')) return false
  return objects
    .slice(0, MAX_OBJECTS)
    .some((object) =>
      Object.keys(object).some(
        (key) =>
          BOUNDED_ACTS.expiryArguments.has(plainKey(key)) ||
          nameWords(key).some((word) => BOUNDED_ACTS.expiry.has(word)),
      ),
    )
}

const MAX_OBJECTS = 64

function exportsPeople(objects: readonly JsonObject[]): boolean {
  const [args = {}] = objects
  const goesAway = Object.entries(args).some(
    ([key, value]) =>
      nameWords(key).some((word) => BOUNDED_ACTS.destinations.has(word)) &&
      typeof value === 'string' &&
      isElsewhere(value),
  )
  return (
    goesAway &&
    Object.values(args)
      .flatMap(textsOf)
      .some((text) => nameWords(text.slice(0, 256)).some((word) => BOUNDED_ACTS.personalColumns.has(word)))
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
const COMMAND_KEY = /command|shell|exec|hook|script|cmd|prompt_command|editor|pager/i

/** Rates values of settings like commands, and reports those that would be high by themselves. */
function rateSettingCommands(
  call: RatedCall,
  objects: readonly JsonObject[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const texts = objects.slice(0, MAX_OBJECTS).flatMap((object) =>
    Object.entries(object).flatMap(([key, value]) => {
      if (BOUNDED_ACTS.prose.has(plainKey(key))) return []
      return textsOf(value).filter((text) => text.length <= MAX_COMMAND && (RUNS.test(text) || COMMAND_KEY.test(key)))
    }),
  )
  for (const text of texts.slice(0, MAX_COMMANDS)) {
    const level = highestRisk(rateCommand(decomposeUnproven(text), call.cwd, now).findings.map((one) => one.level))
    if (riskRank(level) >= riskRank('high'))
      return [finding(level, 'tool.hidden-command', 'a setting holds a command that would be risky to run', 'no')]
  }
  return []
}
