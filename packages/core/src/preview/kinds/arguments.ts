import type { FrozenCall } from '../../call/call.ts'
import { isArray } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { Preview, PreviewField } from '../model/preview.ts'
import { countedWords } from '../targets/target-lookup.ts'

/** The length of a longer text is shown. */
const SHORT = 60

/** The arguments of a server's tool, each with its type. Only the server knows what it does with them. */
export function argumentsPreview(call: FrozenCall): Preview {
  const fields = Object.entries(call.args).map(
    ([name, value]): PreviewField => ({ name, type: typeWords(value), value }),
  )
  const notes = fields.length === 0 ? ['no arguments'] : []
  return { kind: 'arguments', fields, notes }
}

function typeWords(value: Json): string {
  if (value === null) return 'null'
  if (isArray(value)) return `list of ${value.length}`
  switch (typeof value) {
    case 'string':
      return value.length <= SHORT ? 'text' : `text, ${countedWords(value.length, 'character')}`
    case 'number':
      return 'number'
    case 'boolean':
      return 'true or false'
    default:
      return `object, ${countedWords(Object.keys(value).length, 'field')}`
  }
}

/** The plain arguments, for calls without a better preview. */
export function jsonPreview(call: FrozenCall, notes: readonly string[] = []): Preview {
  return notes.length === 0 ? { kind: 'json', value: call.args } : { kind: 'json', value: call.args, notes }
}
