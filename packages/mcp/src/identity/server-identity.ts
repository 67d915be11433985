import { type Crypto, canonicalJson, type Json, maskText } from '@countersign/core'
import { isFolderBound } from './folder-dependent-command.ts'
import { coverAddresses, coverWord } from './redacted-command.ts'

/** How a server is reached: the command line that starts it, or its address. */
export type ServerAddress = { readonly command: readonly string[] } | { readonly url: string }

/**
 * Which server stands behind a label. SECURITY: A20 a label is only a name in a file: another command under it is
 * another server, whatever its tools look like.
 */
export interface ServerIdentity {
  /** SHA-256 over the whole address, and the folder where that decides which program it is. */
  readonly hash: string
  /** Where the folder counts, the hash without it: by which a configuration knows it, whatever it is started in. */
  readonly folderless?: string | null
  /** The address for reading, secrets covered and cut. Untrusted text. */
  readonly shown: string
}

const MAX_READ = 8192
const MAX_SHOWN = 500

/**
 * The identity of a server by its address, and by the folder it is started in where that decides which program it is. The
 * environment is no part of it: that is where secrets live.
 */
export function serverIdentity(
  address: ServerAddress,
  crypto: Pick<Crypto, 'sha256'>,
  cwd: string | null = null,
): ServerIdentity & { readonly folderless: string | null } {
  const text =
    'url' in address
      ? coverAddresses(address.url.slice(0, MAX_READ))
      : address.command.map((word, at) => coverWord(address.command[at - 1], word.slice(0, MAX_READ))).join(' ')
  const isBound = 'command' in address && cwd !== null && isFolderBound(address.command, cwd)
  const plain = crypto.sha256(`countersign/mcp-server/v1\n${canonicalJson(address as Json)}`)
  const bound = (): string => crypto.sha256(`countersign/mcp-server/v2\n${canonicalJson({ ...address, cwd } as Json)}`)
  return {
    hash: isBound ? bound() : plain,
    shown:
      shorten(maskText(text.slice(0, MAX_READ)).value, MAX_SHOWN) + (isBound ? ` (in ${shorten(cwd, MAX_SHOWN)})` : ''),
    folderless: isBound ? plain : null,
  }
}

function shorten(text: string, most: number): string {
  return text.slice(0, most).toWellFormed()
}
