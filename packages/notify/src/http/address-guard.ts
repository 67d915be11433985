import { isIP } from 'node:net'
import { isThisMachine, reachOf } from '@countersign/core'
import { isInOwnNetworks } from '@countersign/node'

/**
 * Why an address that a host leads to may not be contacted; null if it may. SECURITY: a public name that leads into this
 * machine or its network would turn the service into a way in; only hosts that the person named as private may.
 */
export function addressProblem(host: string, address: string, isPrivateAllowed: boolean): string | null {
  const bare = address.replace(/^\[|\]$/g, '')
  const reach = reachOf(bare)
  if (reach === 'metadata') return `\`${host}\` is a cloud metadata service, which is never contacted`
  if (isThisMachine(host)) return reach === 'loopback' ? null : `\`${host}\` does not resolve to this machine`
  if (isPrivateAllowed) return null
  const isOwn = isIP(bare) !== 0 && isInOwnNetworks(bare)
  if (reach === 'public' && !isOwn) return null
  return `\`${host}\` is in a private network; to use it, add the channel with \`--private\``
}
