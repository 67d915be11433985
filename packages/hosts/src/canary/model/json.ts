/** Reads untyped JSON without casts: what is missing or of another type becomes an empty value. */
export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  const { text, content, output } = fieldsOf(value)
  return [text, content, output].map((one) => (one === undefined ? '' : textOf(one))).join('')
}
