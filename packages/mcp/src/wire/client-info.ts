import type { Json } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import type { Message } from './message.ts'

/** What a client says about itself. Not verified. */
export interface ClientInfo {
  readonly protocol: Protocol
  readonly agent: string | null
  readonly elicitation: { readonly form: boolean; readonly url: boolean }
}

export const UNKNOWN_CLIENT: ClientInfo = {
  protocol: 'initialize',
  agent: null,
  elicitation: { form: false, url: false },
}

const META = 'io.modelcontextprotocol/'
const LONGEST_NAME = 128

/**
 * What a message tells about its client, merged with what was known. `initialize` starts one kind of protocol, a
 * request with its own protocol version the other. INVARIANT: never throws.
 */
export function clientInfoFrom(message: Message, before: ClientInfo): ClientInfo {
  if (message.kind !== 'request') return before
  try {
    if (message.method === 'initialize') {
      const { clientInfo, capabilities } = message.params()
      return { protocol: 'initialize', agent: nameOf(clientInfo), elicitation: elicitationOf(capabilities) }
    }
    return infoFromMeta(message.params()['_meta'], before)
  } catch {
    return before
  }
}

function infoFromMeta(meta: Json | undefined, before: ClientInfo): ClientInfo {
  if (!isJsonObject(meta) || typeof meta[`${META}protocolVersion`] !== 'string') return before
  return {
    protocol: 'stateless',
    agent: nameOf(meta[`${META}clientInfo`]) ?? before.agent,
    elicitation: elicitationOf(meta[`${META}clientCapabilities`]),
  }
}

/** An empty `elicitation` means forms: the first versions had nothing else. */
function elicitationOf(capabilities: Json | undefined): ClientInfo['elicitation'] {
  const offered = isJsonObject(capabilities) ? capabilities['elicitation'] : undefined
  if (!isJsonObject(offered)) return UNKNOWN_CLIENT.elicitation
  const url = isJsonObject(offered['url'])
  return { form: isJsonObject(offered['form']) || !url, url }
}

function nameOf(info: Json | undefined): string | null {
  const name = isJsonObject(info) ? info['name'] : undefined
  if (typeof name !== 'string' || !name.isWellFormed() || hasControl(name)) return null
  return name === '' || name.length > LONGEST_NAME ? null : name
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  }
  return false
}

/** Protocol versions up to 2025-11-25 start with `initialize`; from 2026-07-28 on they are `stateless`. */
export type Protocol = 'initialize' | 'stateless'
