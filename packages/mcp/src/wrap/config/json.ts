import type { Json, JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { isTooDeep, repeatedKey } from '@countersign/node'
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'
import type { ConfigText, Member, ServerEntry } from './text.ts'

/**
 * Parses JSON with comments and trailing commas, which most clients allow. Returns a reason when the text cannot be parsed or is
 * ambiguous.
 */
export function readJsonConfig(text: string, places: readonly (readonly string[])[]): ConfigText | string {
  if (isTooDeep(text)) return 'it is nested too deeply'
  const errors: ParseError[] = []
  // The parser does not skip a byte order mark.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, { allowTrailingComma: true, allowEmptyContent: true })
  if (errors.length > 0) return 'it is not valid JSON'
  if (root === undefined) return { format: 'json', text, entries: [], data: {} }
  if (root.type !== 'object') return 'it is not a JSON object'
  const twice = places.map((place) => ambiguousKey(root, place)).find((key) => key !== null)
  if (twice !== undefined) return `the key \`${twice}\` appears twice`
  const entries = places.flatMap((place) => find(root, place, []))
  return { format: 'json', text, entries, data: getNodeValue(root) as JsonObject }
}

function find(node: Node, place: readonly string[], path: readonly string[]): readonly ServerEntry[] {
  const [step, ...rest] = place
  const children = propertiesOf(node)
  if (step === undefined) return children.flatMap(({ key, value }) => entryOf(key, value, [...path, key]))
  const next = step === '*' ? children : children.filter(({ key }) => key === step)
  return next.flatMap(({ key, value }) => find(value, rest, [...path, key]))
}

function entryOf(name: string, node: Node, path: readonly string[]): readonly ServerEntry[] {
  const data: unknown = getNodeValue(node)
  if (!isJsonObject(data)) return []
  const members = propertiesOf(node).map(
    ({ key, keyNode, value }): Member => ({
      key,
      keySpan: spanOf(keyNode),
      value: spanOf(value),
      data: getNodeValue(value) as Json,
      items: value.type === 'array' ? (value.children ?? []).map(spanOf) : null,
    }),
  )
  const first = members[0]
  const last = members.at(-1)
  if (first === undefined || last === undefined) return []
  return [{ name, path, data, members, style: 'json', span: { start: first.keySpan.start, end: last.value.end } }]
}

interface Property {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

function propertiesOf(node: Node): readonly Property[] {
  if (node.type !== 'object') return []
  return (node.children ?? []).flatMap((property): readonly Property[] => {
    const [keyNode, value] = property.children ?? []
    return keyNode === undefined || value === undefined ? [] : [{ key: String(keyNode.value), keyNode, value }]
  })
}

function spanOf({ offset, length }: Node): { readonly start: number; readonly end: number } {
  return { start: offset, end: offset + length }
}

/**
 * A key that appears twice on the path to the servers or in them. SECURITY: A1 never guess which of two the client would take.
 * Elsewhere in the file it does not matter.
 */
function ambiguousKey(node: Node, place: readonly string[]): string | null {
  const [step, ...rest] = place
  if (step === undefined) return repeatedKey(node)
  const children = propertiesOf(node)
  const next = step === '*' ? children : children.filter(({ key }) => key === step)
  const keys = next.map(({ key }) => key)
  const twice = keys.find((key, at) => keys.indexOf(key) < at)
  if (twice !== undefined) return twice
  return next.map(({ value }) => ambiguousKey(value, rest)).find((key) => key !== null) ?? null
}
