import { type Crypto, canonicalJson, type Json, maskText } from '@countersign/core'

/** How a server is reached: the command line that starts it, or its address. */
export type ServerAddress = { readonly command: readonly string[] } | { readonly url: string }

/**
 * Which server stands behind a label. SECURITY: A20 a label is only a name in a file: another command under it is
 * another server, whatever its tools look like.
 */
export interface ServerIdentity {
  /** SHA-256 over the whole address. */
  readonly hash: string
  /** The address for reading, secrets covered and cut. Untrusted text. */
  readonly shown: string
}

const MAX_SHOWN = 500

/** The identity of a server by its address. The environment is no part of it: that is where secrets live. */
export function serverIdentity(address: ServerAddress, crypto: Pick<Crypto, 'sha256'>): ServerIdentity {
  const text = 'url' in address ? address.url : address.command.join(' ')
  return {
    hash: crypto.sha256(`countersign/mcp-server/v1\n${canonicalJson(address as Json)}`),
    shown: maskText(withoutUserInfo(text)).value.slice(0, MAX_SHOWN).toWellFormed(),
  }
}

/** `https://user:word@host` keeps its host only. */
function withoutUserInfo(text: string): string {
  return text.slice(0, 8192).replace(/(:\/\/)[^/\s@]{1,256}@/g, '$1…@')
}
