import type { JsonObject } from '@countersign/core'
import { type Catalogue, createCatalogue, openQuarantine, serverIdentity } from '@countersign/mcp'
import { type Home, openCrypto } from '@countersign/node'

/** What the proxy does when a server lists its tools: the first list of a label is pinned, later ones are compared. */
export async function listTools(
  home: Home,
  tools: readonly JsonObject[],
  { label = 'tracker', command = ['npx', '-y', 'tracker-mcp'] }: { label?: string; command?: readonly string[] } = {},
): Promise<Catalogue> {
  const crypto = openCrypto(home)
  const server = serverIdentity({ command }, crypto)
  const catalogue = createCatalogue({ home, label, server, crypto, now: Date.now, report: () => {} })
  await catalogue.take({ tools: tools as readonly JsonObject[] }, { cursor: null })
  return catalogue
}

/** What `countersign serve` gives the service to show tools in quarantine. */
export function quarantineOf(home: Home): ReturnType<typeof openQuarantine> {
  return openQuarantine(home, openCrypto(home))
}
