import { CountersignError, type ErrorCode, markOf, type SafeText, safeText } from '@countersign/core'

const SHORT = 8

/** The beginning of an id: enough for people to tell apart, and accepted wherever an id is. */
export function shortId(id: string): SafeText {
  return safeText(id.slice(0, SHORT))
}

/** The one id that begins with what a person typed; says what to do when there is none, or more. */
export function idOf(
  typed: string,
  ids: readonly string[],
  words: { readonly what: string; readonly list: string; readonly code: ErrorCode },
): string {
  const found = ids.includes(typed) ? [typed] : ids.filter((id) => typed !== '' && id.startsWith(typed))
  if (found.length === 1 && found[0] !== undefined) return found[0]
  const shown = safeText(typed)
  const message =
    found.length === 0
      ? `no ${words.what} \`${shown}\`; list them with \`${words.list}\``
      : `\`${shown}\` matches ${found.length} of them; type more of the id`
  throw new CountersignError(words.code, message)
}

/** A call of the past, as it can be named. */
export interface NamedCall {
  readonly id: string
  /** null: nobody was asked about it. */
  readonly requestDigest: string | null
}

/** How lists name a call of the past: by its mark if it was held, else by the beginning of its id. */
export function callName({ id, requestDigest }: NamedCall): SafeText {
  return requestDigest === null ? shortId(id) : safeText(markOf({ requestDigest }))
}

/**
 * The one call of the past that a person means by a mark, an id, or a beginning. SECURITY: A11, ids are chosen by whoever
 * asks: one that is no longer than what lists show of an id is not preferred to those that begin with it.
 */
export function findCall(
  typed: string,
  calls: readonly NamedCall[],
  words: { readonly what: string; readonly list: string; readonly code: ErrorCode },
): string {
  const exact = typed.length > shortId(typed).length ? calls.filter(({ id }) => id === typed) : []
  const found = exact.length > 0 ? exact : calls.filter((call) => typed !== '' && begins(call, typed))
  if (found.length === 1 && found[0] !== undefined) return found[0].id
  const shown = safeText(typed)
  const message =
    found.length === 0
      ? `no ${words.what} \`${shown}\`; list them with \`${words.list}\``
      : `\`${shown}\` matches ${found.length} of them; type more of it`
  throw new CountersignError(words.code, message)
}

function begins({ id, requestDigest }: NamedCall, typed: string): boolean {
  return id.startsWith(typed) || requestDigest?.startsWith(typed) === true
}
