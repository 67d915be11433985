import { coverSecrets, isJsonObject, type Json, maskJson } from '@countersign/core'
import { type HeldCall, isWhole } from './held-call.ts'

const effects = new WeakMap<HeldCall, string>()
const briefs = new WeakMap<HeldCall, string>()
const LONGEST = 240

/** The effect of a call for a list: its secrets covered, and no longer than a few lines. */
export function maskedEffect(view: HeldCall): string {
  return once(effects, view, () => coverSecrets(view.effect))
}

/** For a list: the arguments of a call whose effect says no more than the tool's name, so that two can be told apart. */
export function maskedBrief(view: HeldCall): string {
  return once(briefs, view, () => {
    if (!isWhole(view)) return ''
    const { preview } = view
    if (preview.kind !== 'arguments' && preview.kind !== 'json') return ''
    const given: readonly (readonly [string, Json | undefined])[] =
      preview.kind === 'arguments'
        ? preview.fields.map(({ name, value }) => [name, value])
        : Object.entries(isJsonObject(preview.value) ? preview.value : {})
    // Only what is small is looked through for secrets here: the card does it for all.
    const small = given.flatMap(([name, value]) => (isSmall(value) ? [[name, value] as const] : []))
    const { value: masked } = maskJson(Object.fromEntries(small))
    const words = Object.entries(isJsonObject(masked) ? masked : {}).map(([name, value]) => ({
      // Words say more than numbers and flags do.
      rank: typeof value === 'string' ? 0 : 1,
      text: `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, LONGEST),
    }))
    return words
      .toSorted((one, other) => one.rank - other.rank)
      .slice(0, 8)
      .map(({ text }) => text)
      .join(' · ')
  })
}

function isSmall(value: Json | undefined): value is Json {
  return value !== undefined && JSON.stringify(value).length <= 2_000
}

function once(known: WeakMap<HeldCall, string>, view: HeldCall, make: () => string): string {
  const before = known.get(view)
  if (before !== undefined) return before
  const made = make()
  const text = made.length > LONGEST ? `${made.slice(0, LONGEST).toWellFormed()}…` : made
  known.set(view, text)
  return text
}
