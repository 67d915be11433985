import type { Json, JsonObject } from '../../call/json/json.ts'
import { byTool } from '../../call/names/name-cache.ts'
import { letterKey, nameWords } from '../../call/names/words.ts'
import { USER_INTERFACES } from '../../knowledge/compiled/tools.ts'
import { scanText } from '../../secrets/scan-text.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import { rateName } from '../tool-name/rate-name.ts'

/** Whether a tool only navigates in a browser or on a screen, or takes a screenshot. */
export function isNavigation(name: string, server: string | null): boolean {
  return navigates(name, server ?? '')
}

const navigates = byTool((name, server): boolean => {
  const words = nameWords(name)
  if (!isDriver(name, server)) return false
  const own = words.filter((word) => !USER_INTERFACES.drivers.has(word) && !nameWords(server).includes(word))
  if (words.includes('select')) return words.some((word) => /^(?:tab|tabs|page|window)$/.test(word))
  return (
    (own.length > 0 || words.includes('screen')) &&
    own.every((word) => USER_INTERFACES.navigation.has(word) && !USER_INTERFACES.input.has(word))
  )
})

/** Whether a tool drives a browser, a screen or a phone. */
export function isDriver(name: string, server: string | null): boolean {
  return drives(name, server ?? '')
}

const drives = byTool((name, server): boolean =>
  [...nameWords(name), ...nameWords(server)].some((word) => USER_INTERFACES.drivers.has(word)),
)

const FIELDS =
  /\b(?:pass ?(?:word|wd|code|phrase)|pin(?: code)?|otp|one time code|2fa|cvv|cvc|security code|card ?(?:number|no|num)|credit ?card|debit ?card|ssn|social security|iban|routing number|api key|secret|token)\b/
const MAX_LABEL = 256

/**
 * Rates pressing or typing on a page or screen by the label of the element: `Delete account` is a deletion, a password
 * field receives a password. Null if the tool drives no interface, or the label shows no risk.
 */
export function rateLabel(name: string, server: string | null, objects: readonly JsonObject[]): RiskFinding | null {
  const words = [...nameWords(name), ...actionOf(objects)]
  if (!isDriver(name, server) && !words.some((word) => /^(?:click|tap|fill|press|type)$/.test(word))) return null
  const types = words.some((word) => USER_INTERFACES.types.has(word))
  const presses = words.some((word) => USER_INTERFACES.presses.has(word))
  if (!types && !presses) return null
  if (types && objects.some(takesSecret))
    return finding('high', 'tool.types-secret', 'types a password, code or card number into a web page', 'no')
  return presses && !types ? worstLabel(objects) : null
}

function worstLabel(objects: readonly JsonObject[]): RiskFinding | null {
  let worst: RiskFinding | null = null
  for (const label of labelsOf(objects, false)) {
    const one = rateOne(label)
    if (one !== null && (worst === null || riskRank(one.level) > riskRank(worst.level))) worst = one
  }
  return worst
}

const PRESS_REASONS = {
  destroy: 'presses a button that deletes something',
  pay: 'presses a button that buys or pays',
  send: 'presses a button that sends something',
  admin: 'presses a button that changes permissions or public access',
  remote: 'presses a button that publishes, approves or restarts something',
} as const

function rateOne(label: string): RiskFinding | null {
  const words = nameWords(label.replace(/[^\p{L}\p{N}]+/gu, ' ')).filter(
    (word) => !USER_INTERFACES.labelFillers.has(word),
  )
  if (words.length === 0 || (words.length === 1 && USER_INTERFACES.leavingLabels.has(words[0] ?? ''))) return null
  const act = rateName(words.join('_'))
  if (act === null || riskRank(act.level) < riskRank('high')) return null
  const text = Object.hasOwn(PRESS_REASONS, act.effect)
    ? PRESS_REASONS[act.effect as keyof typeof PRESS_REASONS]
    : undefined
  return text === undefined ? null : finding(act.level, `tool.presses-${act.effect}`, text, 'no')
}

/** The action that the arguments choose, in a tool for the whole screen: `{ action: 'left_click' }`. */
function actionOf(objects: readonly JsonObject[]): readonly string[] {
  const action = objects[0]?.['action']
  return typeof action === 'string' && action.length <= MAX_LABEL ? nameWords(action).slice(0, 3) : []
}

function takesSecret(object: JsonObject): boolean {
  const typed = Object.entries(object).filter(([key]) => USER_INTERFACES.typedArguments.has(letterKey(key)))
  if (typed.length === 0) return false
  if (labelsOf([object], true).some((label) => FIELDS.test(nameWords(label).join(' ')))) return true
  return typed.some(
    ([, value]) => typeof value === 'string' && (isCardNumber(value) || scanText(value.slice(0, 4096)).length > 0),
  )
}

function labelsOf(objects: readonly JsonObject[], typing: boolean): readonly string[] {
  return objects.slice(0, 64).flatMap((object) =>
    Object.entries(object).flatMap(([key, value]: [string, Json]) => {
      const name = letterKey(key)
      if (typeof value !== 'string' || value.length > MAX_LABEL) return []
      return USER_INTERFACES.labelArguments.has(name) && !(typing && USER_INTERFACES.typedArguments.has(name))
        ? [value]
        : []
    }),
  )
}

/** Whether a number has the check digit of a payment card. */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  if (!/^[2-6]\d{12,18}$/.test(digits)) return false
  let sum = 0
  for (const [at, digit] of [...digits].reverse().entries()) {
    const twice = at % 2 === 1 ? Number(digit) * 2 : Number(digit)
    sum += twice > 9 ? twice - 9 : twice
  }
  return sum % 10 === 0
}
