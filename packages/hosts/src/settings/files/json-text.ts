import { isJsonObject, type Json, type JsonObject } from '@countersign/core'
import { isTooDeep, repeatedKey } from '@countersign/node'
import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'

/** A parsed settings file in JSON, with comments and trailing commas where people have them. */
export interface JsonText {
  readonly text: string
  /** Undefined for a file without any value: empty, or comments only. */
  readonly root: Node | undefined
  readonly data: JsonObject
}

/** Keys and indexes from the root to a value. */
export type JsonPath = readonly (string | number)[]

/**
 * Parses a settings file. Returns a reason when it can't be edited safely. `dialect` says what its program reads: a file with
 * comments that the program can't read is broken already.
 */
export function readJson(text: string, dialect: 'json' | 'jsonc'): JsonText | string {
  if (isTooDeep(text)) return 'it is nested too deeply'
  const errors: ParseError[] = []
  // The parser does not skip a byte order mark.
  const root = parseTree(text.replace(/^\ufeff/, ' '), errors, {
    allowTrailingComma: dialect === 'jsonc',
    disallowComments: dialect === 'json',
    allowEmptyContent: true,
  })
  if (errors.length > 0) return 'it is not valid JSON'
  if (root === undefined) return { text, root, data: {} }
  const data: unknown = getNodeValue(root)
  return isJsonObject(data) ? { text, root, data } : 'it is not a JSON object'
}

/** The node at a path; undefined if there is none. */
export function nodeAt(root: Node | undefined, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => (node === undefined ? undefined : childOf(node, step)), root)
}

function childOf(node: Node, step: string | number): Node | undefined {
  if (typeof step === 'number') return node.type === 'array' ? node.children?.[step] : undefined
  return propertyOf(node, step)?.children?.[1]
}

/** The property of an object node with this key, with its key and value as children. */
export function propertyOf(node: Node, key: string): Node | undefined {
  return node.type === 'object' ? node.children?.find(({ children }) => children?.[0]?.value === key) : undefined
}

/** SECURITY: A1 a key that appears twice in an object, or twice anywhere below one of its keys: never guess which counts. */
export function keyTwice(root: Node | undefined, below: readonly string[]): string | null {
  const properties = root?.type === 'object' ? (root.children ?? []) : []
  const keys = properties.map(({ children }) => String(children?.[0]?.value))
  const twice = below.find((key) => keys.indexOf(key) !== keys.lastIndexOf(key))
  if (twice !== undefined) return twice
  const inner = properties.filter((_, at) => below.includes(keys[at] ?? ''))
  return inner.map(repeatedKey).find((key) => key !== null) ?? null
}

/** The value at a path of parsed data. */
export function valueAt(data: Json, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => {
    if (typeof step === 'number') return Array.isArray(value) ? (value as readonly Json[])[step] : undefined
    return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined
  }, data)
}
