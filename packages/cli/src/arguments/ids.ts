import { CountersignError, type ErrorCode, markOf, type SafeText, safeText } from '@countersign/core'

const SHORT = 8

/** The start of an id, as lists show it; accepted wherever an id is. */
export function shortId(id: string): SafeText {
  return safeText(id.slice(0, SHORT))
}

/** Finds the one id that starts with the typed text. */
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

/** A past call, as far as it is needed to name it. */
export interface NamedCall {
  readonly id: string
  /** Null if the call was not held. */
  readonly requestDigest: string | null
}

/** The name of a past call in lists: its short id if it was held, otherwise the start of its id. */
export function callName({ id, requestDigest }: NamedCall): SafeText {
  return requestDigest === null ? shortId(id) : safeText(markOf({ requestDigest }))
}

/**
 * Finds a past call by short id, id, or the start of either. SECURITY: A11 callers choose ids: an id as short as those in
 * lists gets no preference over ids that start with it.
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
