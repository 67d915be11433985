import { type LookupAddress, lookup } from 'node:dns'
import { isIP } from 'node:net'
import { type HostPattern, hostKind, hostText, isThisMachine, matchesHost, readHostPattern } from '@countersign/core'
import { isInOwnNetworks } from './own-networks.ts'

/** A host and port that a contained command asked for, and why it was refused. */
export interface RefusedHost {
  readonly host: string
  readonly port: number
  readonly why: string
}

/** Where to connect, or why not. */
export type Answer =
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }

/** Decides where a contained command may connect. */
export type HostFilter = (host: string, port: number) => Promise<Answer>

/** Resolves a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

/**
 * A filter for host patterns. SECURITY: A7 the name is resolved here, once, and the connection goes to that address: a
 * public name that leads to this machine or its network is refused unless a pattern names the address itself.
 */
export function hostFilter(hosts: readonly string[], resolve: Resolve = resolveName): HostFilter {
  const patterns = hosts.map(patternOf)
  const isExact = (host: string, port: number): boolean =>
    patterns.some((one) => one.host === host && matchesHost(one, { host, port }, false))
  return async (host, port) => {
    if (!patterns.some((one) => matchesHost(one, { host, port }, false))) return refusal('the host is not named')
    if (isIP(host) !== 0)
      return isExact(host, port) || isPublic(host)
        ? { kind: 'allowed', addresses: [host] }
        : refusal('it is not a public address')
    // `localhost` always means this machine; whoever names it means it.
    const isLocal = isThisMachine(host) && isExact(host, port)
    const found = await resolve(host).catch((): readonly string[] => [])
    if (found.length === 0) return refusal('the name does not resolve')
    const odd = found.find((address) => !isAllowed(address, port, isLocal, isExact))
    return odd === undefined
      ? { kind: 'allowed', addresses: found }
      : refusal(`it leads to ${odd}; name that address too`)
  }
}

function isAllowed(
  address: string,
  port: number,
  isLocal: boolean,
  isExact: (host: string, port: number) => boolean,
): boolean {
  return isPublic(address) || isExact(address, port) || (isLocal && isThisMachine(address))
}

function isPublic(address: string): boolean {
  return hostKind(address) === 'public' && !isInOwnNetworks(address)
}

function patternOf(text: string): HostPattern {
  const pattern = readHostPattern(text)
  if (pattern === null) throw new TypeError(`${hostText(text)} is not a host pattern`)
  return pattern
}

function refusal(why: string): Answer {
  return { kind: 'refused', why }
}

function resolveName(name: string): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found: LookupAddress[]) =>
      error === null ? resolve(found.map(({ address }) => address)) : reject(error),
    )
  })
}
