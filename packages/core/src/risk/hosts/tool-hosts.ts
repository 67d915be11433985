import { hostAndPort, urlTarget } from '../../call/address/host.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { Kind } from '../../call/descriptor.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { methodOf } from '../query/http-request.ts'
import type { HostUse } from '../report/report.ts'
import { isHarmlessHeader } from './web-client-use.ts'

/** Kinds of calls that contact the URLs among their arguments. Others only mention them. */
const CONTACTING: ReadonlySet<Kind> = new Set<Kind>(['fetch', 'send', 'read', 'query', 'other'])
const NONE: readonly HostUse[] = []

/** The hosts that a call contacts by its URLs. */
export function toolHosts({ tool, args, descriptor }: FrozenCall): readonly HostUse[] {
  const { kind, url, urls = url === undefined ? [] : [url] } = descriptor
  if (urls.length === 0 || !CONTACTING.has(kind)) return NONE
  const only = isOnlyReading(tool.name, args, kind)
  return urls.flatMap((one) => hostsOf(one, only))
}

function hostsOf(url: string, onlyReads: boolean): readonly HostUse[] {
  // With only a path, the tool knows the host.
  if (/^\/(?!\/)/.test(url)) return NONE
  const target = urlTarget(url)
  if (target.kind === 'nowhere') return NONE
  if (target.kind === 'host') {
    const { host, port, hasCredentials } = target
    return [{ host, port, use: onlyReads && !hasCredentials ? 'read' : 'send', certain: true }]
  }
  // Tools add the scheme that is missing.
  const bare = /^[^/?#\s:@]+\.[^/?#\s@]+/.test(url) ? hostAndPort(/^[^/?#]*/.exec(url)?.[0] ?? '', 443) : null
  if (bare !== null) return [{ ...bare, use: onlyReads ? 'read' : 'send', certain: false }]
  return [{ host: null, port: null, use: onlyReads ? 'read' : 'send', certain: false }]
}

/** Words of arguments that hold a body or credentials. */
const SENT =
  /^(?:body|data|json|form|payload|files?|content|upload|auth|authorization|token|bearer|password|passwd|secret|credentials?|cookies?|apikey|key|username|user|cert)$/

/** GET or HEAD, without a body and without credentials. */
function isOnlyReading(tool: string, args: JsonObject, kind: Kind): boolean {
  if (kind === 'send' || !/^(?:get|head)$/i.test(methodOf(tool, args))) return false
  return Object.entries(args).every(([name, value = null]) => isHarmless(name, value))
}

function isHarmless(name: string, value: Json): boolean {
  if (isEmpty(value)) return true
  if (/^headers?$/i.test(name)) return isHarmlessHeaders(value)
  const isNested = /^(?:options|init|request|config|params)$/i.test(name) && isObject(value)
  if (isNested) return Object.entries(value).every(([inner, one = null]) => isHarmless(inner, one))
  return !nameWords(name).some((word) => SENT.test(word.toLowerCase()))
}

function isHarmlessHeaders(value: Json): boolean {
  if (typeof value === 'string') return value.split('\n').every(isHarmlessHeader)
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string' && isHarmlessHeader(one))
  return isObject(value) && Object.keys(value).every(isHarmlessHeader)
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || value === false || (isObject(value) && Object.keys(value).length === 0)
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
