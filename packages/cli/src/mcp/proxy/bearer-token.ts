import { safeText } from '@countersign/core'
import { type Bearer, isPlainAddress, openKeptBearer, readAddress, URL_VARIABLE } from '@countersign/mcp'
import type { Home } from '@countersign/node'
import { homeFlag } from '../../home/inbox-address.ts'
import { say } from '../../terminal/io.ts'
import type { Backing } from './stdio-proxy.ts'

/** The sign-in that a person made for this server, if there is one; without it, how to make it is said. */
export function serverBearer(address: string, { opened, io }: Pick<Backing, 'opened' | 'io'>): Bearer | null {
  return openKeptBearer({
    home: opened.home,
    crypto: opened.ports.crypto,
    url: readAddress(address),
    command: signInCommand(address, opened.home),
    say: (advice) => say(io, `countersign: ${safeText(advice)}`),
  })
}

/** SECURITY: A32 this goes to the client, its log and a model: an address that may hold a secret is not in it. */
export function signInCommand(address: string, home: Home): string {
  const { href } = readAddress(address)
  const where = isPlainAddress(href) ? ` ${href}` : ''
  const variable = where === '' ? `${URL_VARIABLE}=… ` : ''
  return `${variable}countersign mcp sign-in${where}${homeFlag(home)}`
}
