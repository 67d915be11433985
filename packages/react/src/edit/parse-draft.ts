import { assertNever, canonicalJson, isJsonObject, type Json, type JsonObject } from '@countersign/core'
import type { Draft } from './draft.ts'
import type { About } from './schema.ts'

/** What a form holds, read back; or what is wrong with which field. */
export type ReadArguments =
  | { readonly kind: 'read'; readonly args: JsonObject }
  | { readonly kind: 'wrong'; readonly name: string; readonly message: string }

class Wrong {
  readonly name: string
  readonly message: string
  constructor(name: string, message: string) {
    this.name = name
    this.message = message
  }
}

/** The arguments that a form stands for. */
export function readDraft(draft: Draft): ReadArguments {
  try {
    const args = readValue(draft, '')
    return isJsonObject(args)
      ? { kind: 'read', args }
      : { kind: 'wrong', name: 'JSON', message: 'an object was expected' }
  } catch (error) {
    if (error instanceof Wrong) return { kind: 'wrong', name: error.name, message: error.message }
    throw error
  }
}

/** The arguments of the JSON of the whole. */
export function readJson(text: string): ReadArguments {
  return readDraft({ kind: 'json', text })
}

function readValue(draft: Draft, name: string): Json {
  switch (draft.kind) {
    case 'text':
      return draft.text
    case 'boolean':
      return draft.value
    case 'number': {
      const value = Number(draft.text)
      if (draft.text.trim() === '' || !Number.isFinite(value)) throw new Wrong(name, 'not a number')
      if (draft.isInteger && !Number.isInteger(value)) throw new Wrong(name, 'not a whole number')
      return value
    }
    case 'choice': {
      const chosen = draft.options[draft.at]
      if (chosen === undefined) throw new Wrong(name, 'nothing is chosen')
      return chosen
    }
    case 'group':
      // `fromEntries` makes own properties of any name, `__proto__` as well.
      return Object.fromEntries(
        draft.fields.flatMap((field) =>
          field.draft === null ? [] : [[field.name, readValue(field.draft, joined(name, field.name))]],
        ),
      )
    case 'list':
      return draft.items.map((item, at) => readValue(item, joined(name, String(at + 1))))
    case 'json':
      try {
        return JSON.parse(draft.text) as Json
      } catch {
        throw new Wrong(name === '' ? 'JSON' : name, 'not JSON')
      }
    default:
      return assertNever(draft)
  }
}

function joined(name: string, next: string): string {
  return name === '' ? next : `${name} › ${next}`
}

/** Whether two sets of arguments are the same call. */
export function sameArguments(one: JsonObject, other: JsonObject): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

/** What the schema would not like about a field. Said, and no more: its maker does not decide what a person may send. */
export function misfitOf(draft: Draft, { min, max, shortest, longest }: About): string | null {
  if (draft.kind === 'number' && draft.text.trim() !== '') {
    const value = Number(draft.text)
    if (min !== null && value < min) return `less than the schema’s least, ${min}`
    if (max !== null && value > max) return `more than the schema’s most, ${max}`
  }
  if (draft.kind === 'text') {
    const length = [...draft.text].length
    if (longest !== null && length > longest) return `longer than the schema’s ${longest} characters`
    if (shortest !== null && length < shortest) return `shorter than the schema’s ${shortest} characters`
  }
  return null
}
