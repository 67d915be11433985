import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Headers by which servers tell their users apart. */
const CREDENTIALS = [
  'authorization',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'x-goog-api-key',
  'private-token',
] as const

/**
 * One name for everyone with the same credentials. SECURITY: A9 what one credential was allowed, another does not go on
 * with. Those that are replaced by ours on the way tell nobody apart.
 */
export function credentialOf(headers: IncomingHttpHeaders, owns: (header: string) => boolean): string {
  let said = ''
  for (const name of CREDENTIALS) {
    const value = headers[name]
    if (value !== undefined && !owns(name)) said += `${name}: ${value}\n`
  }
  return said === '' ? 'none' : hash('sha256', said)
}
