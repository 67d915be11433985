import type { Json, JsonObject } from '../../call/json/json.ts'
import type { Preview } from '../../preview/model/preview.ts'
import { coverSecrets, maskJson } from '../../secrets/mask.ts'
import type { OpenedView } from './verified-view.ts'
import type { HeldCallView, RequestBody } from './view.ts'

/** A shorter value that is secret only by its argument's name is not masked in other texts: it may be an ordinary word. */
const MIN_LENGTH = 6

/**
 * The view with its secrets masked, also where a text repeats an argument, and how many different ones were found: with 0 there is
 * nothing to reveal. For display only: what is signed are the unmasked bytes.
 */
export function maskView(opened: OpenedView): OpenedView & { readonly secrets: number } {
  const { view, body } = opened
  // Together: a secret that is in several of them counts once.
  const masked = maskJson([body.call.args, withoutImages(view.preview) as unknown as Json, body.targets])
  const [args, preview, targets] = masked.value as unknown as [JsonObject, Preview, RequestBody['targets']]
  const words = wordsOf(view)
  const told = coverWords(words as unknown as Json) as unknown as Words
  if (masked.secrets === 0 && isEqual(told, words)) return { ...opened, secrets: 0 }
  const { effect, findings, reasons, risk, claims, refused } = told
  const shown: HeldCallView = {
    ...view,
    ...coverClaims(claims, coveredTexts(body.call.args, args)),
    effect,
    findings,
    ...(view.refused === undefined ? {} : { refused }),
    verdict: { ...view.verdict, reasons },
    risk: { ...view.risk, ...risk },
    preview: withImages(underNames(preview, args), view.preview),
  }
  const call = { ...body.call, args }
  const isAnyDrawn = !isEqual(drawnOf(told, view), drawnOf(words, view))
  return {
    ...opened,
    view: shown,
    body: { ...body, call, targets },
    secrets: Math.max(masked.secrets, isAnyDrawn ? 1 : 0),
  }
}

/** The texts that a card draws: for a command or a query it draws no effect sentence. */
function drawnOf(words: Words, { preview }: HeldCallView): unknown {
  const isQuoted = preview.kind === 'command' || preview.kind === 'query'
  return { ...words, effect: isQuoted ? null : words.effect, risk: words.risk.reasons }
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Every text of a view, apart from its preview, that can repeat an argument. */
function wordsOf(view: HeldCallView) {
  const { effect, said, reasoning, confirmationMessage, toolDescription, findings, verdict, risk, refused = [] } = view
  return {
    effect,
    findings,
    refused,
    reasons: verdict.reasons,
    risk: { reasons: risk.reasons, target: risk.target },
    claims: { said, confirmationMessage, toolDescription, ...(reasoning === undefined ? {} : { reasoning }) },
  }
}

type Words = ReturnType<typeof wordsOf>

/** Masks every secret in texts: nobody acts on them, so none must stay readable. */
function coverWords(value: Json): Json {
  if (typeof value === 'string') return coverSecrets(value)
  if (Array.isArray(value)) return value.map(coverWords)
  if (!isMany(value)) return value
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(fields.map(([name, one]) => [name, coverWords(one as Json)]))
}

type Claims = Pick<HeldCallView, 'said' | 'reasoning' | 'confirmationMessage' | 'toolDescription'>

/**
 * The texts of agent and tool, also without values that are secret only by their name. SECURITY: A14 only these texts: an
 * agent chooses such values, and `{"password":"deletes"}` would remove that word from the gate's own sentences.
 */
function coverClaims(claims: Claims, known: ReadonlyMap<string, string>): Claims {
  const covered = (text: string | null): string | null => {
    let left = text
    for (const [secret, cover] of known) left = left?.replaceAll(secret, () => cover) ?? null
    return left
  }
  return {
    said: covered(claims.said),
    ...(claims.reasoning === undefined ? {} : { reasoning: covered(claims.reasoning) ?? '' }),
    confirmationMessage: covered(claims.confirmationMessage),
    toolDescription: covered(claims.toolDescription),
  }
}

/** In a preview each value is under `value`, so its name is not seen there: the masked arguments are used instead. */
function underNames(preview: Preview, args: JsonObject): Preview {
  if (preview.kind !== 'arguments') return preview
  return { ...preview, fields: preview.fields.map((one) => ({ ...one, value: args[one.name] ?? one.value })) }
}

/** The bytes of an image are no text to search. */
function withoutImages(preview: Preview): Preview {
  if (preview.kind !== 'own') return preview
  return { ...preview, parts: preview.parts.map((part) => (part.kind === 'image' ? { ...part, data: '' } : part)) }
}

function withImages(masked: Preview, whole: Preview): Preview {
  if (masked.kind !== 'own' || whole.kind !== 'own') return masked
  const { parts } = whole
  return { ...masked, parts: masked.parts.map((part, at) => (part.kind === 'image' ? (parts[at] ?? part) : part)) }
}

/** The texts that were masked as a whole, each with its replacement. */
function coveredTexts(before: Json, after: Json, found = new Map<string, string>()): ReadonlyMap<string, string> {
  if (typeof before === 'string') {
    if (before !== after && before.length >= MIN_LENGTH && typeof after === 'string' && isCover(after))
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
