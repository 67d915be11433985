import type { Json, JsonObject } from '../../call/json/json.ts'
import type { Preview } from '../../preview/model/preview.ts'
import { coverSecrets, maskJson } from '../../secrets/mask.ts'
import type { OpenedView } from './verified-view.ts'
import type { HeldCallView, RequestBody } from './view.ts'

/** A secret is known by the name it stands under; elsewhere it is found again only when it is no short word. */
const SHORTEST = 6

/**
 * The view with its secrets masked, also where a text repeats an argument, and how many were found: with 0 there is
 * nothing to reveal. For display only: what is signed are the unmasked bytes.
 */
export function maskView(opened: OpenedView): OpenedView & { readonly secrets: number } {
  const { view, body } = opened
  const args = maskJson(body.call.args)
  const preview = maskJson(view.preview as unknown as Json)
  const words = wordsOf(view)
  const told = coverWords(words as unknown as Json) as unknown as Words
  const targets = maskJson(body.targets)
  const count = args.secrets + preview.secrets + targets.secrets
  if (count === 0 && isEqual(told, words)) return { ...opened, secrets: 0 }
  const { effect, findings, reasons, risk, claims } = told
  const shown: HeldCallView = {
    ...view,
    ...coverClaims(claims, coveredTexts(body.call.args, args.value)),
    effect,
    findings,
    verdict: { ...view.verdict, reasons },
    risk: { ...view.risk, ...risk },
    preview: underNames(preview.value as unknown as Preview, args.value as JsonObject),
  }
  const call = { ...body.call, args: args.value as JsonObject }
  const isAnyDrawn = count > 0 || !isEqual(drawnOf(told, view), drawnOf(words, view))
  return {
    ...opened,
    view: shown,
    body: { ...body, call, targets: targets.value as RequestBody['targets'] },
    secrets: Math.max(args.secrets, preview.secrets, isAnyDrawn ? 1 : 0),
  }
}

/** Of the words, those that a card draws: above the picture of a command or a query stands no sentence of its effect. */
function drawnOf(words: Words, { preview }: HeldCallView): unknown {
  const isQuoted = preview.kind === 'command' || preview.kind === 'query'
  return { ...words, effect: isQuoted ? null : words.effect, risk: words.risk.reasons }
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Every text of a view, beside its picture, that can repeat what an argument says. */
function wordsOf(view: HeldCallView) {
  const { effect, said, confirmationMessage, toolDescription, findings, verdict, risk } = view
  return {
    effect,
    findings,
    reasons: verdict.reasons,
    risk: { reasons: risk.reasons, target: risk.target },
    claims: { said, confirmationMessage, toolDescription },
  }
}

type Words = ReturnType<typeof wordsOf>

/** Nobody acts on words, so no secret in them need stay readable. */
function coverWords(value: Json): Json {
  if (typeof value === 'string') return coverSecrets(value)
  if (Array.isArray(value)) return value.map(coverWords)
  if (!isMany(value)) return value
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(fields.map(([name, one]) => [name, coverWords(one as Json)]))
}

type Claims = Pick<HeldCallView, 'said' | 'confirmationMessage' | 'toolDescription'>

/**
 * What agent and tool say, without the values that are secret only by their name. SECURITY: A14 only there: an agent
 * chooses such a value, and with `{"password":"deletes"}` it would take that word out of the gate's own sentences.
 */
function coverClaims(claims: Claims, known: ReadonlyMap<string, string>): Claims {
  const covered = (text: string | null): string | null => {
    let left = text
    for (const [secret, cover] of known) left = left?.replaceAll(secret, () => cover) ?? null
    return left
  }
  return {
    said: covered(claims.said),
    confirmationMessage: covered(claims.confirmationMessage),
    toolDescription: covered(claims.toolDescription),
  }
}

/** A field's value stands under `value`: what its own name says of it is known from the arguments. */
function underNames(preview: Preview, args: JsonObject): Preview {
  if (preview.kind !== 'arguments') return preview
  return { ...preview, fields: preview.fields.map((one) => ({ ...one, value: args[one.name] ?? one.value })) }
}

/** The texts that were covered whole, each with what stands in its place. */
function coveredTexts(before: Json, after: Json, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (typeof before === 'string') {
    if (before !== after && before.length >= SHORTEST && typeof after === 'string' && isCover(after))
      found.set(before, after)
  } else if (isMany(before) && isMany(after))
    for (const name of Object.keys(before)) coveredTexts(at(before, name), at(after, name), found)
  return found
}

function isCover(text: string): boolean {
  return /^\[masked [^\]]*\]$/.test(text)
}

function isMany(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null
}

function at(value: JsonObject | readonly Json[], name: string): Json {
  return (value as JsonObject)[name] ?? null
}
