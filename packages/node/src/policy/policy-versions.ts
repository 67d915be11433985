import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Crypto, type PolicyVersions, redactText } from '@countersign/core'
import { openOwnFolder, readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'

/** INVARIANT: L10. 256 files of 256 KiB, and the presets, as JSON text. */
const MOST_TEXT = 160 * 1_048_576
const MOST_KEPT = 16 * 1_048_576

const HASH = /^[0-9a-f]{64}$/

/**
 * The texts of all policies that were in force, in the folder `policies` of the home, compressed and named by their hash. A
 * text with something that looks like a secret is not kept. What cannot be written is known only by its hash.
 */
export function openPolicyVersions(home: Home): PolicyVersions {
  const seen = new Set<string>()
  return {
    keep(hash, text) {
      if (seen.has(hash) || !HASH.test(hash)) return
      seen.add(hash)
      try {
        const path = versionPath(home, hash)
        if (existsSync(path) || text.length > MOST_TEXT || hasSecret(text)) return
        const kept = gzipSync(text)
        if (kept.length > MOST_KEPT) return
        openOwnFolder(folderOf(home), 'CS_HOME')
        replaceOwnFile(path, kept.toString('base64'))
      } catch {
        // A full disk, or a home that can't be written: an audit lacks this text, and says so.
      }
    },
  }
}

/** A kept text; undefined if it is absent, or not what its name says. */
export function policyVersion(home: Home, hash: string, crypto: Pick<Crypto, 'sha256'>): string | undefined {
  if (!HASH.test(hash)) return undefined
  const kept = readOwnFile(versionPath(home, hash), 2 * MOST_KEPT, 'CS_HOME')
  if (kept === undefined) return undefined
  try {
    const text = gunzipSync(Buffer.from(kept, 'base64'), { maxOutputLength: 2 * MOST_TEXT }).toString('utf8')
    return crypto.sha256(text) === hash ? text : undefined
  } catch {
    return undefined // damaged: the same as absent
  }
}

/** The strings in the text are quoted JSON; a secret in quotes is found as well. */
function hasSecret(text: string): boolean {
  return redactText(text, { keyedHash: () => '' }) !== text
}

function folderOf(home: Home): string {
  return join(home.dir, 'policies')
}

function versionPath(home: Home, hash: string): string {
  return join(folderOf(home), `${hash}.gz`)
}
