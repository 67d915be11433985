import type { Json } from '@countersign/core'
import { isObject } from '../json/value.ts'
import type { Message } from './message.ts'

/** What a client said of itself. All of it is a claim. */
export interface ClientTraits {
  readonly era: Era
  readonly agent: string | null
  readonly elicitation: { readonly form: boolean; readonly url: boolean }
}

export const UNKNOWN_CLIENT: ClientTraits = { era: 'initialize', agent: null, elicitation: { form: false, url: false } }

const META = 'io.modelcontextprotocol/'
const LONGEST_NAME = 128

/**
 * What a message tells of its client, over what was known before. The era is the client's choice: `initialize` begins
 * the one, a request that names its protocol version by itself the other. INVARIANT: never throws.
 */
export function traitsFrom(message: Message, before: ClientTraits): ClientTraits {
  if (message.kind !== 'request') return before
  try {
    if (message.method === 'initialize') {
      const { clientInfo, capabilities } = message.params()
      return { era: 'initialize', agent: nameOf(clientInfo), elicitation: elicitationOf(capabilities) }
    }
    return traitsOfMeta(message.params()['_meta'], before)
  } catch {
    return before
  }
}

function traitsOfMeta(meta: Json | undefined, before: ClientTraits): ClientTraits {
  if (!isObject(meta) || typeof meta[`${META}protocolVersion`] !== 'string') return before
  return {
    era: 'stateless',
    agent: nameOf(meta[`${META}clientInfo`]) ?? before.agent,
    elicitation: elicitationOf(meta[`${META}clientCapabilities`]),
  }
}

/** `elicitation: {}` means forms, as before there was anything else. */
function elicitationOf(capabilities: Json | undefined): ClientTraits['elicitation'] {
  const offered = isObject(capabilities) ? capabilities['elicitation'] : undefined
  if (!isObject(offered)) return UNKNOWN_CLIENT.elicitation
  const url = isObject(offered['url'])
  return { form: isObject(offered['form']) || !url, url }
}

function nameOf(info: Json | undefined): string | null {
  const name = isObject(info) ? info['name'] : undefined
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

/** `initialize`: 2025-11-25 and before. `stateless`: 2026-07-28 and after. */
export type Era = 'initialize' | 'stateless'
