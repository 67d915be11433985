import type { RiskLevel } from '../risk/report/level.ts'
import { ACTION_TYPES, type ActionType, type IntentScope } from './model/intent.ts'

/** Machine-readable hints from an agent. They may only raise the result. */
export interface IntentTags {
  readonly confirmation_required?: boolean
  readonly risk_level?: RiskLevel
  readonly action_type?: ActionType
  readonly scope?: IntentScope
}

const LEVELS: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical']
/** The longest tag that is read. */
const MAX_TAG = 500
/** How many tags are read. */
const MAX_TAGS = 64
const NAMES =
  /^(?:confirm|confirmation|needs?[-_ ]?confirmation|confirmation[-_ ]?(?:required|needed)|confirm[-_ ]?required|requires?[-_ ]?(?:confirmation|approval)|approval[-_ ]?(?:required|needed)|needs?[-_ ]?approval|ask[-_ ]?user|hitl|human[-_ ]?approval)\b/i

/** Tags in a text: `<confirm …>`, `[CONFIRM]`, `{"confirmation_required": true}`, `confirmation_required: true`. */
export function readTags(text: string): readonly IntentTags[] {
  return [...bracketTags(text), ...jsonTags(text), ...lineTags(text)]
}

function bracketTags(text: string): readonly IntentTags[] {
  const found: IntentTags[] = []
  const opened = { '>': -1, ']': -1 }
  for (const { 0: sign, index } of text.matchAll(/[<>[\]]/g)) {
    if (sign === '<') opened['>'] = index
    else if (sign === '[') opened[']'] = index
    else if (sign === '>' || sign === ']') {
      const from = opened[sign]
      const isLink = sign === ']' && text[index + 1] === '('
      const tag = isLink || from < 0 || index - from > MAX_TAG ? null : namedTag(text.slice(from + 1, index))
      if (tag !== null && found.length < MAX_TAGS) found.push(tag)
      opened[sign] = -1
    }
  }
  return found
}

function jsonTags(text: string): readonly IntentTags[] {
  const found: IntentTags[] = []
  let after = 0
  let seen = 0
  for (const { index } of text.matchAll(/"(?:confirmation_?required|requires_?confirmation|risk_?level)"/gi)) {
    if (index < after || ++seen > MAX_TAGS) continue
    const from = Math.max(after, index - MAX_TAG)
    const before = text.slice(from, index)
    for (
      let at = before.lastIndexOf('{'), tries = 0;
      at >= 0 && tries < 3;
      at = at === 0 ? -1 : before.lastIndexOf('{', at - 1), tries++
    ) {
      const end = braceEnd(text, from + at)
      const tag = end <= index ? null : jsonTag(text.slice(from + at, end + 1))
      if (tag === null) continue
      found.push(tag)
      after = end
      break
    }
  }
  return found
}

function lineTags(text: string): readonly IntentTags[] {
  const lines = text.matchAll(
    /^[ \t]{0,8}(?:confirmation[-_ ]required|requires[-_ ]confirmation|needs[-_ ]confirmation) {0,4}[:=] {0,4}(?:true|yes)\b/gim,
  )
  return lines.next().done === true ? [] : [{ confirmation_required: true }]
}

/** The end of an object within the longest tag; its start when it does not end there. */
function braceEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < Math.min(text.length, from + 2 * MAX_TAG); at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return from
}

function namedTag(inner: string): IntentTags | null {
  if (!NAMES.test(inner) || /\b(?:required|needed)\s{0,4}[:=]\s{0,4}["']?(?:false|no)\b/i.test(inner)) return null
  const rest = inner.replace(NAMES, '')
  // `[confirm](link)` and `[confirm the address]` are text; a tag has attributes or nothing.
  if (rest.trim() !== '' && !/^[\s/:|]/.test(rest)) return null
  if (/^\s+\p{L}+(?:\s|$)/u.test(rest) && !/[=:]/.test(rest)) return null
  const level = LEVELS.find(
    (one) =>
      new RegExp(`\\b(?:risk|level|risk_level)\\W{1,4}${one}\\b`, 'i').test(rest) ||
      new RegExp(`[:|]\\s*${one}\\b`, 'i').test(rest),
  )
  const action = ACTION_TYPES.find((one) =>
    new RegExp(`\\b(?:action|action_type|type)\\W{1,4}${one}\\b`, 'i').test(rest),
  )
  return {
    confirmation_required: true,
    ...(level === undefined ? {} : { risk_level: level }),
    ...(action === undefined ? {} : { action_type: action }),
  }
}

function jsonTag(text: string): IntentTags | null {
  try {
    const plain = text.replace(/\bTrue\b/g, 'true').replace(/\bFalse\b/g, 'false')
    return asTags(JSON.parse(plain))
  } catch {
    return null // not JSON, so not a tag
  }
}

/** Reads tags from an unknown value and ignores what it does not understand. */
export function asTags(value: unknown): IntentTags | null {
  if (typeof value !== 'object' || value === null) return null
  const of = (name: string): unknown =>
    Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined
  const required =
    of('confirmation_required') ??
    of('requires_confirmation') ??
    of('confirmationRequired') ??
    of('requiresConfirmation')
  const level = LEVELS.find((one) => one === of('risk_level') || one === of('riskLevel'))
  const action = ACTION_TYPES.find((one) => one === of('action_type') || one === of('actionType'))
  const scope = asScope(of('scope'))
  if (typeof required !== 'boolean' && level === undefined) return null
  return {
    ...(typeof required === 'boolean' ? { confirmation_required: required } : {}),
    ...(level === undefined ? {} : { risk_level: level }),
    ...(action === undefined ? {} : { action_type: action }),
    ...(scope === null ? {} : { scope }),
  }
}

function asScope(value: unknown): IntentScope | null {
  if (typeof value !== 'object' || value === null) return null
  const { records, type, amount } = value as Readonly<Record<string, unknown>>
  return {
    ...(typeof records === 'number' && Number.isFinite(records) ? { records } : {}),
    ...(typeof type === 'string' ? { type: type.slice(0, 64) } : {}),
    ...(typeof amount === 'number' && Number.isFinite(amount) ? { amount } : {}),
  }
}
