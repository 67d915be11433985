import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { AMOUNTS } from '../../knowledge/compiled/tools.ts'

const MAX_VALUES = 2000

/**
 * The largest amount of money the arguments name, in dollars or about. Minor units count as such where the name says so
 * (`amount_cents`, `unit_amount`) or the service always uses them. Null when no argument is an amount.
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
    (usesMinorUnits && words.includes('amount'))
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
  // The last separator is the decimal one, unless three digits follow it.
  const decimal = /[.,](\d{1,2}|\d{4,})$/.exec(digits)
  const whole = (decimal === null ? digits : digits.slice(0, decimal.index)).replace(/[.,]/g, '')
  return { number: Number(`${whole === '' ? '0' : whole}.${decimal?.[1] ?? '0'}`) * factor, unit }
}
