import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { SETTINGS } from '../../knowledge/compiled/tools.ts'
import { hostOf, isLoopback } from '../query/http-request.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'

const MAX_OBJECTS = 256

/**
 * Rates the settings of a change, whatever its name: something becomes public, a safeguard or an account is switched off,
 * rights are handed out, mail is forwarded, people are contacted.
 */
export function rateSettings(call: RatedCall, objects: readonly JsonObject[]): readonly RiskFinding[] {
  const subject = [...nameWords(call.tool.name), ...nameWords(call.tool.server ?? '')]
  const found = new Map<string, RiskFinding>()
  for (const object of objects.slice(0, MAX_OBJECTS)) {
    for (const [key, value] of [...Object.entries(object), ...namedValue(object)]) {
      for (const one of rateEntry(key, value, subject)) found.set(one.rule, one)
    }
  }
  if (reachesPeople(objects[0] ?? {}, subject)) found.set(WRITES.rule, WRITES)
  return [...found.values()]
}

/** `{ name: 'default_role', value: 'administrator' }`: the setting is named by a value. */
export function namedValue(object: JsonObject): readonly (readonly [string, Json])[] {
  const name = object['name'] ?? object['key'] ?? object['setting'] ?? object['option']
  const value = object['value']
  return typeof name === 'string' && name.length <= 128 && value !== undefined ? [[name, value]] : []
}

const EXPOSES = finding('high', 'tool.exposes', 'makes something public', 'partly')
const POWER = finding('high', 'tool.power', 'grants owner permissions', 'partly')
const SWITCHES_OFF = finding('high', 'tool.switches-off', 'disables a person’s access or a safeguard', 'partly')
const FORWARDS = finding('high', 'tool.forwards', 'forwards everything that arrives to another address', 'no')
const SENDS = finding('high', 'tool.send-flag', 'a flag requests sending or publishing', 'no')
const INVITES = finding('high', 'tool.invites', 'invites other people', 'no')
const WRITES = finding('high', 'tool.writes-people', 'sends a message to a person’s address', 'no')

function rateEntry(key: string, value: Json, subject: readonly string[]): readonly RiskFinding[] {
  const words = nameWords(key)
  const name = words.join('')
  const texts = textsOf(value)
  const found: RiskFinding[] = []
  if (exposes(name, words, value, texts)) found.push(EXPOSES)
  if (
    words.some((word) => SETTINGS.rights.has(word)) &&
    texts.some((text) => nameWords(text).some((word) => SETTINGS.powerfulRoles.has(word)))
  )
    found.push(POWER)
  if (switchesOff(name, words, value, subject)) found.push(SWITCHES_OFF)
  if (value === true && SENDING.test(name)) found.push(SENDS)
  const reaches = texts.some((text) => text.includes('@') || hostOf(text) !== null || /^\+\d{6,}/.test(text))
  if (FORWARDING.test(name) && !words.includes('url') && reaches) found.push(FORWARDS)
  if (SETTINGS.invitations.has(name) && texts.some((text) => text.includes('@'))) found.push(INVITES)
  if (
    subject.some((word) => SETTINGS.relays.has(word)) &&
    SETTINGS.addresses.has(words.at(-1) ?? '') &&
    texts.some(isElsewhere)
  )
    found.push(FORWARDS)
  return found
}

/** `forward_to`, `redirectTo`, and hidden copies. */
const FORWARDING = /^(?:auto)?(?:forward|redirect)|^(?:blind)?copyto$|^blindcarboncopy|^journalto$/

const EVERYBODY =
  /(?:^|[^a-z])(?:public|anyone|anybody|everyone|everybody|world|internet|anonymous|all[ _-]?users|allauthenticatedusers)(?:$|[^a-z])/i
const WORLD = /^(?:0\.0\.0\.0\/0|::\/0)$/

function exposes(name: string, words: readonly string[], value: Json, texts: readonly string[]): boolean {
  if (value === true) return /^(?:is|make|set)?public|^publicly|^anonymous|^allowpublic|^worldreadable$/.test(name)
  if (value === false) return /^(?:is)?private$|^blockpublic|^restrictpublic|^ignorepublic|^public\w*block/.test(name)
  if (texts.some((text) => WORLD.test(text))) return true
  if (name === 'type' || name === 'grantee') return texts.some((text) => /^(?:anyone|everyone|allusers)$/i.test(text))
  if (name === 'principal') return texts.includes('*')
  if (!words.some((word) => SETTINGS.exposure.has(word))) return false
  return [...texts, ...insideOf(value)].some((text) => EVERYBODY.test(text))
}

const GUARDS =
  /mfa|twofactor|2fa|protection|encrypt|versioning|backup|logging|auditlog|firewall|^waf|verifyssl|sslverify|tlsverify|verifycert|requireapproval|requiredreview|requiresignature|enforceadmins|guardrail|antivirus/

function switchesOff(name: string, words: readonly string[], value: Json, subject: readonly string[]): boolean {
  if (value === true && SETTINGS.endedFlags.has(name)) return true
  const off = value === false || (typeof value === 'string' && SETTINGS.offValues.has(value.toLowerCase()))
  if (off && GUARDS.test(name)) return true
  if (!subject.some((word) => SETTINGS.guarded.has(word))) return false
  if (value === true) return SETTINGS.stoppedFlags.has(name) || words.includes('disable')
  return off && value !== 'none' && SETTINGS.runningFlags.has(name)
}

const SENDING =
  /^(?:send|publish|broadcast|deploy)(?:now|immediately|toall|live|emails?|invites?|invitations?)?$|^notifyall$|^auto(?:publish|deploy|merge)$/

function isElsewhere(text: string): boolean {
  const host = hostOf(text)
  return host !== null && !isLoopback(host)
}

/** Whether there is a recipient and a message; a draft is not sent. */
function reachesPeople(args: JsonObject, subject: readonly string[]): boolean {
  if (subject.some((word) => /^(?:draft|drafts|template|templates|contact|contacts|preview)$/.test(word))) return false
  const keys = Object.entries(args).map(([key, value]) => [nameWords(key).join(''), value] as const)
  const sends = keys.some(
    ([key, value]) =>
      SETTINGS.recipients.has(key) && textsOf(value).some((text) => /^\S+@\S+\.\S+$|^\+\d{6,}$/.test(text.trim())),
  )
  return sends && keys.some(([key]) => SETTINGS.messageParts.has(key))
}

/** `{ privacy: { view: 'anybody' } }`. */
function insideOf(value: Json): readonly string[] {
  if (value === null || typeof value !== 'object' || isArray(value)) return []
  return Object.values(value).filter((one) => typeof one === 'string' && one.length <= 64) as readonly string[]
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === 'string') return value.length <= 512 ? [value] : []
  if (value === null || typeof value !== 'object' || !isArray(value)) return []
  return value.slice(0, MAX_OBJECTS).flatMap((item) => {
    if (typeof item === 'string') return [item]
    if (item === null || typeof item !== 'object' || isArray(item)) return []
    const address = item['email'] ?? item['address']
    return typeof address === 'string' ? [address] : []
  })
}
