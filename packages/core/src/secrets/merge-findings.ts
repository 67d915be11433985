import { isExampleToken } from './find-tokens.ts'
import { isPlaceholder } from './placeholder.ts'
import { type SecretSpan, withoutOverlaps } from './span.ts'

/** Identifiers of users, roles and groups at AWS: not one of them opens anything. */
const AWS_IDENTIFIER = /^A(?:GPA|IDA|ROA|IPA|NPA|NVA)[A-Z0-9]{16}$/

/** Our own findings and another scanner’s: of the other’s what is new, and no placeholder. */
export function joinFound(
  text: string,
  own: readonly SecretSpan[],
  other: readonly SecretSpan[],
): readonly SecretSpan[] {
  const more = other
    .map((span) => valueIn(text, span))
    .filter((span) => {
      const value = text.slice(span.start, span.end)
      if (own.some((one) => one.start < span.end && span.start < one.end)) return false
      return !AWS_IDENTIFIER.test(value) && !isExampleToken(span, value) && !isPlaceholder(value)
    })
  return more.length === 0 ? own : withoutOverlaps([...own, ...more])
}

const NAMED = /^["']?[\w.-]{1,80}["']?\s{0,4}(?:=>|[=:])\s{0,4}["']?([^\s"']+)["']?$/

/** A scanner may report the name with its value: `AWS_SECRET_ACCESS_KEY=…`. */
function valueIn(text: string, span: SecretSpan): SecretSpan {
  const reported = text.slice(span.start, span.end)
  const value = NAMED.exec(reported)?.[1] ?? reported
  const start = span.start + reported.lastIndexOf(value)
  return { start, end: start + value.length, kind: span.kind }
}
