import type { Json, JsonObject } from '@countersign/core'
import type { ServerTarget } from '../../identity/server-identity.ts'
import type { ClientShape } from '../config/clients.ts'

/** The command line of a server; null when it has a URL instead, a reason when its form is unknown. */
export function commandWords({ command, args }: JsonObject): readonly string[] | string | null {
  if (command === undefined) return null
  if (typeof command === 'string' && (args === undefined || isStringList(args))) return [command, ...(args ?? [])]
  if (isStringList(command) && command.length > 0 && args === undefined) return command
  return 'its `command` has an unknown form'
}

/** The keys by which clients name a server's command or URL. */
const TARGET_KEYS = ['command', 'url', 'httpUrl', 'serverUrl']

/** Why the target of a server is ambiguous; null when it is clear. SECURITY: A1 never guess which of two a client takes. */
export function targetProblem(data: JsonObject): string | null {
  const keys = TARGET_KEYS.filter((key) => data[key] !== undefined)
  if (keys.length < 2) return null
  return `it has both \`${keys[0]}\` and \`${keys[1]}\`, and clients differ in which one they use; keep one`
}

/** The target of a server; null when it is unknown. */
export function targetOf(data: JsonObject, shape: ClientShape): ServerTarget | null {
  const words = commandWords(data)
  if (typeof words === 'string' || targetProblem(data) !== null) return null
  if (words !== null) return { command: words }
  const url = shape.url.map((key) => data[key]).find((value) => typeof value === 'string')
  return url === undefined ? null : { url }
}

function isStringList(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
