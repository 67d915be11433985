import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { fencedName } from '../../display/formatting.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { effectSentence } from '../../preview/effect.ts'
import { redactJson, redactText } from '../../secrets/redact.ts'
import type { Judgement } from '../request/judgement.ts'

const MOST_ARGUMENTS = 8
const LONGEST = 160
/** A longer argument says nothing in a line, and looking through it for secrets takes its time. */
const LONGEST_VALUE = 400

/**
 * One redacted line on what a call would do, for lists of the past. Where the sentence on its effect says no more than the
 * tool's name, some of its arguments, so that two calls can be told apart.
 */
export function summarizeCall({ call, risk }: Judgement, crypto: Crypto): string {
  const effect = redactText(effectSentence(call, risk), crypto)
  const { command, paths = [], sql, url } = call.descriptor
  if (command !== undefined || paths.length > 0 || sql !== undefined || url !== undefined) return effect
  const brief = argumentWords(call.args, crypto)
  return brief === '' ? effect : `${effect} with ${fencedName(brief)}`
}

function argumentWords(args: JsonObject, crypto: Crypto): string {
  const small = Object.entries(args).flatMap(([name, value]) =>
    value !== undefined && lengthOf(value) <= LONGEST_VALUE ? [[name, value] as const] : [],
  )
  const clean = redactJson(Object.fromEntries(small.slice(0, MOST_ARGUMENTS)), crypto) as JsonObject
  const words = Object.entries(clean).map(([name, value = null]) => ({
    // Words say more than numbers and flags do.
    rank: typeof value === 'string' ? 0 : 1,
    text: `${name}: ${typeof value === 'string' ? value : canonicalJson(value)}`,
  }))
  const all = words
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ text }) => text)
    .join(' · ')
  return all.length > LONGEST ? `${all.slice(0, LONGEST).toWellFormed()}…` : all
}

function lengthOf(value: Json): number {
  return typeof value === 'string' ? value.length : canonicalJson(value).length
}
