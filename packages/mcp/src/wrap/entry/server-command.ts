import type { Json, JsonObject } from '@countersign/core'
import type { ClientShape } from '../config/clients.ts'
import type { Inner } from './command-line.ts'

/** The command line of a server; null when it has an address instead, a text when it is in no form we know. */
export function wordsOf({ command, args }: JsonObject): readonly string[] | string | null {
  if (command === undefined) return null
  if (typeof command === 'string' && (args === undefined || isTexts(args))) return [command, ...(args ?? [])]
  if (isTexts(command) && command.length > 0 && args === undefined) return command
  return 'its command is in a form that is not known here'
}

/** The keys that any client has for where a server is. */
const PLACES = ['command', 'url', 'httpUrl', 'serverUrl']

/** Why it is not known where a server is; null when it is. SECURITY: A1 which of two its client takes is not ours to guess. */
export function placeProblem(data: JsonObject): string | null {
  const given = PLACES.filter((key) => data[key] !== undefined)
  if (given.length < 2) return null
  return `it has both \`${given[0]}\` and \`${given[1]}\`, and which of them its client takes is not known here; keep one`
}

/** Where a server is; null when that is not known here. */
export function placeOf(data: JsonObject, shape: ClientShape): Inner | null {
  const words = wordsOf(data)
  if (typeof words === 'string' || placeProblem(data) !== null) return null
  if (words !== null) return { command: words }
  const url = shape.url.map((key) => data[key]).find((value) => typeof value === 'string')
  return url === undefined ? null : { url }
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
