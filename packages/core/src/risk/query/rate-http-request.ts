import { nameWords } from '../../call/names/words.ts'
import { HTTP } from '../../knowledge/compiled/queries.ts'
import { OBJECTS } from '../../knowledge/compiled/tools.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import { rateName } from '../tool-name/rate-name.ts'

const METADATA = /^(?:169\.254\.|metadata$|metadata\.|100\.100\.100\.200$|\[fd00:ec2::254\]$)/
const LOOPBACK =
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0|host\.docker\.internal|[\w.-]+\.(?:localhost|test))$/
/** Hosts of the same services that vary by customer. */
const CUSTOMER_HOST = /^(?:[\w-]+\.webhook\.office\.com|[\w.-]*\.api\.mailchimp\.com)$/

/** Rates a request by its method, its path and by what it is sent to. */
export function rateRequest(method: string, addresses: readonly string[]): readonly RiskFinding[] {
  const hosts = addresses.map(hostOf)
  const host = hosts[0] ?? null
  // A path alone: the tool knows the host.
  const isRoute = host === null && /^\/?[\w.~-]+(?:\/|$|\?)/.test(addresses[0] ?? '')
  const found = [
    rateMethod(method, host, isRoute, addresses[0] ?? ''),
    ...hosts.flatMap((one, at) => rateHost(one, addresses[at] ?? '')),
  ]
  return host === null ? found : found.map((one) => ({ ...one, extent: { target: host, ...one.extent } }))
}

function rateMethod(method: string, host: string | null, isRoute: boolean, address: string): RiskFinding {
  const local = host !== null && isLoopback(host)
  if (HTTP.readingMethods.has(method)) {
    return host === null && !isRoute
      ? finding('medium', 'network.fetch-unknown', 'asks an address that is not known')
      : finding('low', 'network.fetch', local ? 'asks a service on this machine' : 'fetches from the network')
  }
  if (local) return finding('medium', 'network.local', 'changes something on a service of this machine')
  if (method === 'delete') return finding('high', 'network.delete', 'deletes something on a server', 'no')
  const route = routeOf(address)
  if (method === 'post' && ASKS.test(route)) return finding('low', 'network.fetch', 'asks a server')
  if (method === 'put') return finding('high', 'network.change', 'overwrites something on a server')
  if (host !== null && (HTTP.peopleHosts.has(host) || CUSTOMER_HOST.test(host)))
    return finding('high', 'network.people', 'sends something to people or moves money', 'no')
  return rateRoute(route) ?? finding('medium', 'network.send', 'sends data to a server')
}

/** Paths by which servers are only asked, although the question is posted. */
const ASKS =
  /\/_?(?:search|msearch|count|query|lookup|_field_caps|_validate\/query|find|filter|autocomplete|suggest)\/?$/i

function routeOf(address: string): string {
  const piece = address.slice(0, 2048).replace(/[?#].*$/, '')
  return piece.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
}

/** What a path says is done: `/refunds`, `/users/4/suspend`, `/chat.postMessage`. */
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
    return finding('high', 'network.acts', 'asks a server for something that is felt there', 'no')
  return null
}

/** Whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/** What an address shows, whatever is asked of it. */
export function rateHost(host: string | null, url: string): readonly RiskFinding[] {
  if (host === null) return []
  const found: RiskFinding[] = []
  if (METADATA.test(host))
    found.push(
      finding('high', 'network.metadata', 'asks the cloud’s metadata service, which hands out credentials', 'no'),
    )
  if (host.split('.').some((label) => label.startsWith('xn--')))
    found.push(finding('medium', 'network.look-alike', 'the host has letters that can look like others'))
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*:[^/?#\s@]+@/i.test(url.slice(0, 2048)))
    found.push(finding('medium', 'network.password', 'the address carries a password'))
  return found
}

/** The host of a web address in its one spelling; null when it is none. */
export function hostOf(url: string): string | null {
  if (!url.includes(':')) return null // no scheme: said at once, since an error costs more than all the rest
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed.hostname : null
  } catch {
    return null
  }
}
