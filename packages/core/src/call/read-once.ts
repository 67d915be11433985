import { CountersignError } from '../errors.ts'
import type { Call } from './call.ts'

const FIELDS = [
  'id',
  'tool',
  'args',
  'cwd',
  'agent',
  'said',
  'description',
  'describe',
  'preview',
  'requiresConfirmation',
  'confirmationMessage',
  'source',
  'timeoutMs',
  'volatile',
] as const satisfies readonly (keyof Call)[]

/**
 * The fields of a call, each read exactly once and at once. SECURITY: A6, a call that answers differently the next time
 * is judged, shown, sealed and judged again by its first answers.
 */
export function readCallOnce(given: Call): Call {
  if (typeof given !== 'object' || given === null) {
    throw new CountersignError('CS_CALL_SHAPE', 'a call must be an object; pass `tool` and `args`')
  }
  try {
    const fields: { [field: string]: unknown } = {}
    for (const field of FIELDS) {
      const value = given[field]
      if (value !== undefined) fields[field] = value
    }
    return fields as unknown as Call
  } catch (error) {
    throw new CountersignError('CS_CALL_SHAPE', 'the call cannot be read; pass a plain object with `tool` and `args`', {
      cause: error,
    })
  }
}
