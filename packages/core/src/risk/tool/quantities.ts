import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { AMOUNTS } from '../../knowledge/compiled/tools.ts'

/** Values that are counted; more stay uncounted. */
const MAX_COUNTED = 20_000

/**
 * How many things the arguments name at once: the length of the longest list, or the largest count. `listsOnly` ignores
 * counts: in an unknown tool, `{ limit: 500 }` may be the size of a page.
 */
export function countThings(args: JsonObject, listsOnly = false): number {
  let most = 0
  let seen = 0
  const rest: (readonly [name: string, value: Json])[] = Object.entries(args)
  for (let next = rest.pop(); next !== undefined && seen < MAX_COUNTED; next = rest.pop(), seen++) {
    const [name, value] = next
    if (typeof value === 'number' || typeof value === 'string') {
      if (!listsOnly) most = Math.max(most, countOf(name, value))
    } else if (typeof value === 'object' && value !== null) {
      if (isArray(value)) {
        if (isListOfThings(name, value)) most = Math.max(most, value.length)
        // Beyond the bound, the list counts as long already.
        for (const item of value.slice(0, MAX_COUNTED)) if (typeof item === 'object') rest.push([name, item])
      } else rest.push(...Object.entries(value).slice(0, MAX_COUNTED))
    }
  }
  return most
}

function isListOfThings(name: string, list: readonly Json[]): boolean {
  if (nameWords(name).some((word) => AMOUNTS.parts.has(word))) return false
  return !list.every((item) => typeof item === 'number' && !Number.isInteger(item))
}

function countOf(name: string, value: number | string): number {
  const words = nameWords(name)
  if (words.some((word) => AMOUNTS.otherUnits.has(word)) || !words.some((word) => AMOUNTS.counts.has(word))) return 0
  const number = typeof value === 'number' ? value : /^\d{1,15}$/.test(value) ? Number(value) : 0
  return Number.isFinite(number) ? number : 0
}

const MAX_VALUES = 2000

/**
 * The largest amount of money in the arguments, in approximate dollars. An amount is in minor units if its name shows it
 * (`amount_cents`, `unit_amount`) or the service always uses them. Null if no argument is an amount.
 */
export function amountOf(args: JsonObject, usesMinorUnits: boolean): number | null {
  let most: number | null = null
  const rest: { readonly name: string; readonly value: Json; readonly currency: string }[] = []
  const put = (object: JsonObject, inherited: string): void => {
    const currency = currencyOf(object) ?? inherited
    for (const [name, value] of Object.entries(object)) rest.push({ name, value, currency })
  }
  put(args, 'USD')
  for (let seen = 0; seen < MAX_VALUES; seen++) {
    const next = rest.pop()
    if (next === undefined) break
    const { name, value, currency } = next
    if (typeof value === 'number' || typeof value === 'string') {
      const dollars = dollarsOf(name, value, currency, usesMinorUnits)
      if (dollars !== null) most = Math.max(most ?? 0, dollars)
    } else if (typeof value === 'object' && value !== null) {
      if (isArray(value)) for (const item of value.slice(0, MAX_VALUES)) rest.push({ name, value: item, currency })
      else put(value, currency)
    }
  }
  return most
}

function currencyOf(object: JsonObject): string | undefined {
  const given = object['currency'] ?? object['currency_code'] ?? object['currencyCode'] ?? object['asset']
  return typeof given === 'string' && given.length <= 8 ? given.toUpperCase() : undefined
}

function dollarsOf(name: string, value: number | string, currency: string, usesMinorUnits: boolean): number | null {
  const words = nameWords(name)
  if (!words.some((word) => AMOUNTS.amounts.has(word)) || words.some((word) => AMOUNTS.notAmounts.has(word)))
    return null
  const read = typeof value === 'number' ? { number: value, unit: undefined } : readAmount(value)
  if (read === null || !Number.isFinite(read.number)) return null
  const unit = read.unit ?? currency
  const isMinor =
    words.some((word) => AMOUNTS.minorUnits.has(word)) ||
    (words[0] === 'unit' && words[1] === 'amount') ||
    (usesMinorUnits &&
      words.includes('amount') &&
      !words.some((word) => /^(?:usd|eur|gbp|chf|dollars|euros)$/.test(word)))
  const minor = isMinor && typeof value === 'number' && !AMOUNTS.withoutMinorUnits.has(unit) ? 100 : 1
  return (Math.abs(read.number) / minor) * (AMOUNTS.dollars.get(unit) ?? 1)
}

/** `$1,500.00`, `2.000,50 €` and `1500 USD`. */
function readAmount(text: string): { readonly number: number; readonly unit: string | undefined } | null {
  const found = /^\s*([A-Za-z]{3}|[$€£¥₹₩₿])?\s*-?([\d.,]{1,24})\s*(k|m)?\s*([A-Za-z]{3}|[$€£¥₹₩₿])?\s*$/i.exec(
    text.slice(0, 64),
  )
  if (found === null) return null
  const mark = found[1] ?? found[4]
  const unit = mark === undefined ? undefined : (AMOUNTS.signs.get(mark) ?? mark.toUpperCase())
  const factor = found[3] === undefined ? 1 : found[3].toLowerCase() === 'k' ? 1000 : 1_000_000
  const digits = found[2] ?? ''
  // The last separator is the decimal point, unless three digits follow it.
  const decimal = /[.,](\d{1,2}|\d{4,})$/.exec(digits)
  const whole = (decimal === null ? digits : digits.slice(0, decimal.index)).replace(/[.,]/g, '')
  return { number: Number(`${whole === '' ? '0' : whole}.${decimal?.[1] ?? '0'}`) * factor, unit }
}
