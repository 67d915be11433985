import { isJsonObject, type Json, type JsonObject } from '@countersign/core'
import { type About, aboutOf, allows, below, choicesOf, own, propertiesOf, type Schema, wholeSchema } from './schema.ts'

/** A value while it is edited. Its type can change only in JSON mode. */
export type Draft =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly isInteger: boolean }
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** A value from the schema's enum; -1 if none is chosen yet. */
  | { readonly kind: 'choice'; readonly options: readonly Json[]; readonly at: number }
  | { readonly kind: 'group'; readonly fields: readonly DraftField[] }
  | { readonly kind: 'list'; readonly items: readonly Draft[]; readonly blank: () => Draft }
  /** A value without a suitable input. */
  | { readonly kind: 'json'; readonly text: string }

/** A named value of an object. */
export interface DraftField {
  readonly name: string
  /** Null if the field is not set. */
  readonly draft: Draft | null
  /** The initial value when the field is added. */
  readonly blank: () => Draft
  readonly isRequired: boolean
  readonly about: About
}

const DEEPEST = 4
const MOST_FIELDS = 60
const MOST_ITEMS = 60

/** INVARIANT: L10, bounds the fields of a form; the rest becomes JSON. */
interface Room {
  left: number
}

/**
 * Builds the draft of the arguments. The values decide the types; the schema adds optional fields, choices and
 * descriptions. So a wrong or malicious schema changes no value.
 */
export function draftOf(args: JsonObject, schema: JsonObject | null): Draft {
  return group(args, wholeSchema(schema), 0, { left: 300 }) ?? { kind: 'json', text: textOf(args) }
}

function given(value: Json, schema: Schema | null, depth: number, room: Room): Draft {
  const json: Draft = { kind: 'json', text: textOf(value) }
  room.left -= 1
  if (room.left < 0) return json
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const fitting = allows(schema, type) ? schema : null
  const options = type === 'object' || type === 'array' ? [] : choicesOf(fitting)
  if (options.length > 0) {
    const all = options.includes(value) ? options : [value, ...options]
    return { kind: 'choice', options: all, at: all.indexOf(value) }
  }
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (typeof value === 'number')
    return { kind: 'number', text: String(value), isInteger: isInteger(fitting) && Number.isInteger(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (Array.isArray(value)) return list(value, fitting, depth, room) ?? json
  return (isJsonObject(value) ? group(value, fitting, depth, room) : undefined) ?? json
}

function isInteger(schema: Schema | null): boolean {
  const type = schema?.here['type']
  return type === 'integer' || (Array.isArray(type) && type.includes('integer') && !type.includes('number'))
}

function group(value: JsonObject, schema: Schema | null, depth: number, room: Room): Draft | undefined {
  const { names, required } = propertiesOf(schema)
  // In schema order, since arguments arrive sorted by name.
  const all = [...new Set([...names, ...Object.keys(value)])]
  if (depth >= DEEPEST || all.length === 0 || all.length > MOST_FIELDS) return undefined
  const fields = all.map((name): DraftField => {
    const of = below(schema, { property: name })
    const is = own(value, name)
    return {
      name,
      draft: is === undefined ? null : given(is, of, depth + 1, room),
      blank: () => blank(of, depth + 1, { left: 100 }),
      isRequired: required.has(name),
      about: aboutOf(of),
    }
  })
  return { kind: 'group', fields }
}

function list(value: readonly Json[], schema: Schema | null, depth: number, room: Room): Draft | undefined {
  const of = below(schema, 'items')
  const [first] = value
  // Without a schema, only a list of one primitive type tells the type of a new item.
  const isPlain = typeof first !== 'object' && value.every((one) => typeof one === typeof first)
  if (depth >= DEEPEST || value.length > MOST_ITEMS || (of === null && !(value.length > 0 && isPlain))) return undefined
  return {
    kind: 'list',
    items: value.map((one) => given(one, of, depth + 1, room)),
    blank: () => (of === null ? emptyLike(first) : blank(of, depth + 1, { left: 100 })),
  }
}

function emptyLike(value: Json | undefined): Draft {
  if (typeof value === 'number') return { kind: 'number', text: '', isInteger: false }
  return typeof value === 'boolean' ? { kind: 'boolean', value: false } : { kind: 'text', text: '' }
}

/** The initial value of a new field: the schema's default or an empty value of its type. */
function blank(schema: Schema | null, depth: number, room: Room): Draft {
  room.left -= 1
  if (room.left < 0) return { kind: 'json', text: 'null' }
  const start = schema?.here['default']
  if (start !== undefined) return given(start, schema, depth, room)
  const options = choicesOf(schema)
  if (options.length > 0) return { kind: 'choice', options, at: -1 }
  const declared = schema?.here['type']
  const type = Array.isArray(declared) ? declared.find((one) => one !== 'null') : declared
  if (type === 'string') return { kind: 'text', text: '' }
  if (type === 'number' || type === 'integer') return { kind: 'number', text: '', isInteger: type === 'integer' }
  if (type === 'boolean') return { kind: 'boolean', value: false }
  if (type === 'array') return list([], schema, depth, room) ?? { kind: 'json', text: '[]' }
  const made = type === 'object' ? group({}, schema, depth, room) : undefined
  if (made?.kind !== 'group') return { kind: 'json', text: type === 'object' ? '{}' : 'null' }
  const fields = made.fields.map((field) => {
    const { name, isRequired } = field
    return isRequired ? { ...field, draft: blank(below(schema, { property: name }), depth + 1, room) } : field
  })
  return { ...made, fields }
}

function textOf(value: Json): string {
  return JSON.stringify(value, null, 2)
}

/** The changed fields of a draft as text, valid or not. */
export function draftText(draft: Draft, first: Draft): string {
  const before = new Map(leavesOf(first, ''))
  return leavesOf(draft, '')
    .filter(([name, text]) => before.get(name) !== text)
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n')
}

type Leaf = readonly [name: string, text: string]

function leavesOf(draft: Draft, name: string): readonly Leaf[] {
  switch (draft.kind) {
    case 'group':
      return draft.fields.flatMap((one) => (one.draft === null ? [] : leavesOf(one.draft, joined(name, one.name))))
    case 'list':
      return draft.items.flatMap((item, at) => leavesOf(item, joined(name, String(at + 1))))
    case 'choice':
      return [[name, JSON.stringify(draft.options[draft.at] ?? null)]]
    case 'boolean':
      return [[name, String(draft.value)]]
    case 'text':
    case 'number':
    case 'json':
      return [[name, draft.text]]
  }
}

function joined(name: string, below: string): string {
  return name === '' ? below : `${name}.${below}`
}
