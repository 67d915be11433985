import { type Crypto, canonicalJson, type Json, maskText } from '@countersign/core'
import { dependsOnFolder } from './folder-dependent-command.ts'
import { redactUrls, redactWord } from './redacted-command.ts'

/** How a server is reached: its command line or its URL. */
export type ServerTarget = { readonly command: readonly string[] } | { readonly url: string }

/**
 * Identifies the server behind a label. SECURITY: A20 a label is only a name in a file: another command under it is
 * another server, whatever its tools look like.
 */
export interface ServerIdentity {
  /** SHA-256 of the command or URL, and of the folder if that decides which program runs. */
  readonly hash: string
  /** The hash without the folder, if the folder counts: configurations know the server by it. */
  readonly folderless?: string | null
  /** The command or URL for people: secrets masked, shortened. Untrusted text. */
  readonly shown: string
}

const MAX_READ = 8192
const MAX_SHOWN = 500

/**
 * The identity of a server: its command or URL, and the folder if that decides which program runs. The environment is
 * left out, because secrets live there.
 */
export function serverIdentity(
  address: ServerTarget,
  crypto: Pick<Crypto, 'sha256'>,
  cwd: string | null = null,
): ServerIdentity & { readonly folderless: string | null } {
  const text =
    'url' in address
      ? redactUrls(address.url.slice(0, MAX_READ))
      : address.command.map((word, at) => redactWord(address.command[at - 1], word.slice(0, MAX_READ))).join(' ')
  const isBound = 'command' in address && cwd !== null && dependsOnFolder(address.command, cwd)
  const plain = crypto.sha256(`countersign/mcp-server/v1\n${canonicalJson(address as Json)}`)
  const bound = (): string => crypto.sha256(`countersign/mcp-server/v2\n${canonicalJson({ ...address, cwd } as Json)}`)
  return {
    hash: isBound ? bound() : plain,
    shown:
      shorten(maskText(text.slice(0, MAX_READ), 'any').value, MAX_SHOWN) +
      (isBound ? ` (in ${shorten(cwd, MAX_SHOWN)})` : ''),
    folderless: isBound ? plain : null,
  }
}

function shorten(text: string, most: number): string {
  return text.slice(0, most).toWellFormed()
}
