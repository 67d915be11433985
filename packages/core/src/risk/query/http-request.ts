import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { HTTP } from '../../knowledge/compiled/queries.ts'
import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import type { RatedCall } from '../report/rated-call.ts'

/** A request to a server that the arguments spell out. */
export interface SpelledRequest {
  readonly method: string
  /** Addresses or, where the tool knows the host, only the path. */
  readonly addresses: readonly string[]
}

/** The HTTP method a call uses: said by an argument, or by the tool's name. */
export function methodOf(name: string, args: JsonObject): string {
  return saidMethod(args) ?? nameWords(name).find((word) => HTTP.methods.has(word.toLowerCase())) ?? 'get'
}

function saidMethod(args: JsonObject): string | undefined {
  const options = args['options'] ?? args['init'] ?? args['request'] ?? null
  const nested =
    options !== null && typeof options === 'object' && !Array.isArray(options) ? (options as JsonObject) : {}
  for (const given of [args['method'], args['http_method'], args['httpMethod'], args['verb'], nested['method']]) {
    if (typeof given === 'string' && /^[a-z]{3,8}$/i.test(given)) return given.toLowerCase()
  }
  return undefined
}

/** The request a call makes; null when it makes none that can be seen. */
export function requestOf({ tool, args, descriptor }: RatedCall): SpelledRequest | null {
  const { url, urls } = descriptor
  const said = saidMethod(args)
  if (url !== undefined) {
    const isRequest =
      descriptor.kind === 'fetch' ||
      said !== undefined ||
      nameWords(tool.name).some((word) => HTTP.requestTools.has(word))
    return isRequest ? { method: methodOf(tool.name, args), addresses: urls ?? [url] } : null
  }
  if (said === undefined || !HTTP.methods.has(said.toLowerCase())) return null
  const route = ARGUMENT_NAMES.httpRoutes
    .map((key) => args[key])
    .find((value) => typeof value === 'string' && value !== '')
  return typeof route === 'string' ? { method: said, addresses: [route] } : null
}
