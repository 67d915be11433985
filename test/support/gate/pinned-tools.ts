import type { JsonObject, Signer } from '@countersign/core'
import {
  acceptTools,
  type Catalogue,
  createCatalogue,
  openQuarantine,
  serverIdentity,
  viewLabel,
} from '@countersign/mcp'
import { type Home, openCrypto } from '@countersign/node'

/** Lists tools like the proxy: pins the first list of a label, and compares later ones. */
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

/** The port by which `countersign serve` shows quarantined tools. */
export function quarantineOf(home: Home): ReturnType<typeof openQuarantine> {
  return openQuarantine(home, openCrypto(home))
}

/** Accepts tools pinned at first contact, like a person. */
export function acceptListed(home: Home, signer: Signer, label = 'tracker'): void {
  const crypto = openCrypto(home)
  const shown = viewLabel(home, label, crypto).servers.flatMap(({ identity, tools }) =>
    tools.flatMap(({ name, accepted }) =>
      accepted === null ? [] : [{ server: identity.hash, name, hash: accepted.hash }],
    ),
  )
  acceptTools(home, label, shown, { signer, at: 1, crypto })
}
