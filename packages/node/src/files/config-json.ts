/** A node of a parsed JSON text, as `jsonc-parser` makes it. */
export interface JsonNode {
  readonly type: string
  readonly value?: unknown
  readonly children?: readonly JsonNode[]
}

const MAX_DEPTH = 100

/** Whether a JSON text, with or without comments, is nested deeper than configurations are: its parser is recursive. */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\' && inText) at += 1
    else if (character === '"') inText = !inText
    else if (!inText && (character === '{' || character === '[')) depth += 1
    else if (!inText && (character === '}' || character === ']')) depth -= 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

/** A key that appears twice in one object, in a node or below it; null if none does. SECURITY: A1 never guess which one counts. */
export function repeatedKey({ type, children = [] }: JsonNode): string | null {
  const seen = new Set<string>()
  for (const { children: property } of type === 'object' ? children : []) {
    const key = String(property?.[0]?.value)
    if (seen.has(key)) return key
    seen.add(key)
  }
  return children.map(repeatedKey).find((key) => key !== null) ?? null
}
