import { assertNever, canonicalJson, isJsonObject, type Json, type JsonObject } from '@countersign/core'
import type { Draft } from './draft.ts'
import type { About } from './schema.ts'

/** The arguments of a draft, or the first invalid field. */
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

/** Parses a draft into arguments. */
export function readDraft(draft: Draft): ReadArguments {
  try {
    const args = readValue(draft, '')
    return isJsonObject(args)
      ? { kind: 'read', args }
      : { kind: 'wrong', name: 'JSON', message: 'must be a JSON object' }
  } catch (error) {
    if (error instanceof Wrong) return { kind: 'wrong', name: error.name, message: error.message }
    throw error
  }
}

/** Parses the text of JSON mode. */
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
      if (draft.text.trim() === '' || !Number.isFinite(value)) throw new Wrong(name, 'must be a number')
      if (draft.isInteger && !Number.isInteger(value)) throw new Wrong(name, 'must be an integer')
      return value
    }
    case 'choice': {
      const chosen = draft.options[draft.at]
      if (chosen === undefined) throw new Wrong(name, 'choose a value')
      return chosen
    }
    case 'group':
      // `fromEntries` creates own properties even for `__proto__`.
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
        throw new Wrong(name === '' ? 'JSON' : name, 'not valid JSON')
      }
    default:
      return assertNever(draft)
  }
}

function joined(name: string, next: string): string {
  return name === '' ? next : `${name} › ${next}`
}

/** Whether two sets of arguments are equal. */
export function sameArguments(one: JsonObject, other: JsonObject): boolean {
  return canonicalJson(one) === canonicalJson(other)
}

/**
 * The schema limit that a field violates. Only a warning: the schema's author does not decide what a person may send.
 */
export function misfitOf(draft: Draft, { min, max, shortest, longest }: About): string | null {
  if (draft.kind === 'number' && draft.text.trim() !== '') {
    const value = Number(draft.text)
    if (min !== null && value < min) return `below the schema’s minimum of ${min}`
    if (max !== null && value > max) return `above the schema’s maximum of ${max}`
  }
  if (draft.kind === 'text') {
    const length = [...draft.text].length
    if (longest !== null && length > longest) return `longer than the schema’s limit of ${longest} characters`
    if (shortest !== null && length < shortest) return `shorter than the schema’s minimum of ${shortest} characters`
  }
  return null
}
