import { BlockList, isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

type Interfaces = NodeJS.Dict<readonly Pick<NetworkInterfaceInfo, 'cidr'>[]>

/**
 * Whether an address belongs to this machine or to a network it is directly connected to, also where these have public
 * addresses.
 */
export function isInOwnNetworks(address: string, interfaces: Interfaces = networkInterfaces()): boolean {
  const own = new BlockList()
  for (const { cidr } of Object.values(interfaces).flatMap((one) => one ?? [])) {
    const [network = '', bits = ''] = (cidr ?? '').split('/')
    // A tunnel may be connected to everything.
    if (isIP(network) !== 0 && Number(bits) >= WIDEST) own.addSubnet(network, Number(bits), familyOf(network))
  }
  const bare = address.replace(/%.*$/s, '')
  return isIP(bare) !== 0 && own.check(bare, familyOf(bare))
}

const WIDEST = 8

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
