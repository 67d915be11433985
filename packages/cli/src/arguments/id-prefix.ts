import { CountersignError, type ErrorCode, type SafeText, safeText } from '@countersign/core'

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
      : `\`${shown}\` fits ${found.length} of them; type more of the id`
  throw new CountersignError(words.code, message)
}
