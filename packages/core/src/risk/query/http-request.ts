import { givesCredentials, isThisMachine } from '../../call/address/classify.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { HTTP } from '../../knowledge/compiled/queries.ts'
import { ARGUMENT_NAMES, OBJECTS } from '../../knowledge/compiled/tools.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { rateName } from '../tool-name/rate-name.ts'

/** An HTTP request that the arguments describe. */
export interface HttpRequest {
  readonly method: string
  /** URLs, or only a path if the tool knows the host. */
  readonly urls: readonly string[]
}

/** The HTTP method of a call: from an argument, or from the tool's name. */
export function methodOf(name: string, args: JsonObject): string {
  return methodArgument(args) ?? nameWords(name).find((word) => HTTP.methods.has(word.toLowerCase())) ?? 'get'
}

function methodArgument(args: JsonObject): string | undefined {
  const options = args['options'] ?? args['init'] ?? args['request'] ?? null
  const nested =
    options !== null && typeof options === 'object' && !Array.isArray(options) ? (options as JsonObject) : {}
  for (const given of [args['method'], args['http_method'], args['httpMethod'], args['verb'], nested['method']]) {
    if (typeof given === 'string' && /^[a-z]{3,8}$/i.test(given)) return given.toLowerCase()
  }
  return undefined
}

/** The request that a call makes; null if none can be seen. */
export function requestOf({ tool, args, descriptor }: RatedCall): HttpRequest | null {
  const { url, urls } = descriptor
  const method = methodArgument(args)
  if (url !== undefined) {
    const isRequest =
      descriptor.kind === 'fetch' ||
      method !== undefined ||
      nameWords(tool.name).some((word) => HTTP.requestTools.has(word))
    return isRequest ? { method: methodOf(tool.name, args), urls: urls ?? [url] } : null
  }
  if (method === undefined || !HTTP.methods.has(method)) return null
  const route = ARGUMENT_NAMES.httpRoutes
    .map((key) => args[key])
    .find((value) => typeof value === 'string' && value !== '')
  return typeof route === 'string' ? { method, urls: [route] } : null
}

/** Hosts of the same services that vary by customer. */
const CUSTOMER_HOST = /^(?:[\w-]+\.webhook\.office\.com|[\w.-]*\.api\.mailchimp\.com)$/

/** Rates a request by its method, its path and its host. */
export function rateRequest(method: string, urls: readonly string[]): readonly RiskFinding[] {
  const hosts = urls.map(hostOf)
  const host = hosts[0] ?? null
  // With only a path, the tool knows the host.
  const isRoute = host === null && /^\/?[\w.~-]+(?:\/|$|\?)/.test(urls[0] ?? '')
  const found = [
    rateMethod(method, host, isRoute, urls[0] ?? ''),
    ...hosts.flatMap((one, at) => rateHost(one, urls[at] ?? '')),
  ]
  return host === null ? found : found.map((one) => ({ ...one, extent: { target: host, ...one.extent } }))
}

function rateMethod(method: string, host: string | null, isRoute: boolean, url: string): RiskFinding {
  const local = host !== null && isLoopback(host)
  if (HTTP.readingMethods.has(method)) {
    return host === null && !isRoute
      ? finding('medium', 'network.fetch-unknown', 'fetches from an unknown URL')
      : finding('low', 'network.fetch', local ? 'fetches from a service on this machine' : 'fetches from the network')
  }
  if (local) return finding('medium', 'network.local', 'changes something in a service on this machine')
  if (method === 'delete') return finding('high', 'network.delete', 'deletes something on a server', 'no')
  const route = routeOf(url)
  if (method === 'post' && QUERY_ROUTE.test(route)) return finding('low', 'network.fetch', 'queries a server')
  if (method === 'put') return finding('high', 'network.change', 'overwrites something on a server')
  if (host !== null && (HTTP.peopleHosts.has(host) || CUSTOMER_HOST.test(host)))
    return finding('high', 'network.people', 'reaches people or moves money', 'no')
  return rateRoute(route) ?? finding('medium', 'network.send', 'sends data to a server')
}

/** Paths of queries that are sent by POST. */
const QUERY_ROUTE =
  /\/_?(?:search|msearch|count|query|lookup|_field_caps|_validate\/query|find|filter|autocomplete|suggest)\/?$/i

function routeOf(url: string): string {
  const piece = url.slice(0, 2048).replace(/[?#].*$/, '')
  return piece.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
}

/** The action that a path names: `/refunds`, `/users/4/suspend`, `/chat.postMessage`. */
function rateRoute(route: string): RiskFinding | null {
  const segments = route.split('/').filter((segment) => /^[A-Za-z_][\w.:-]*$/.test(segment) && !/^v\d+$/i.test(segment))
  const last = segments.at(-1) ?? ''
  const words = nameWords(last)
  const act = rateName(last)
  const acts = act !== null && riskRank(act.level) >= riskRank('high')
  const thing = words.at(-1) ?? ''
  if (
    acts ||
    OBJECTS.money.has(thing) ||
    OBJECTS.messages.has(thing) ||
    OBJECTS.releases.has(thing) ||
    OBJECTS.rights.has(thing)
  )
    return finding('high', 'network.acts', 'triggers an action on a server', 'no')
  return null
}

/** Whether a host is this machine, or a name that leads nowhere else. */
export function isLoopback(host: string): boolean {
  return isThisMachine(host) || host === 'host.docker.internal' || host.endsWith('.test')
}

/** Rates a host and its URL, whatever the request. */
export function rateHost(host: string | null, url: string): readonly RiskFinding[] {
  if (host === null) return []
  const found: RiskFinding[] = []
  if (givesCredentials(host))
    found.push(
      finding('high', 'network.metadata', 'reaches the cloud’s metadata service, which issues credentials', 'no'),
    )
  if (host.split('.').some((label) => label.startsWith('xn--')))
    found.push(finding('medium', 'network.look-alike', 'the host contains look-alike letters'))
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*:[^/?#\s@]+@/i.test(url.slice(0, 2048)))
    found.push(finding('medium', 'network.password', 'the URL contains a password'))
  return found
}

/** The normalized host of a web URL; null for any other text. */
export function hostOf(url: string): string | null {
  if (!url.includes(':')) return null // without a scheme; checked first because an exception is slow
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed.hostname : null
  } catch {
    return null
  }
}
