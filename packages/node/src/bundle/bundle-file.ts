import { createHash } from 'node:crypto'
import {
  type BundleKeys,
  type BundleManifest,
  type BundleRange,
  type BundleSource,
  type BundleTools,
  type BundleVerdict,
  CountersignError,
  type Digest,
  verifyBundle,
  writeBundle,
} from '@countersign/core'
import { verifyPasskey } from '../approvers/approver-registry.ts'
import { openVerifier } from '../keys/node-crypto.ts'
import { withArchive } from './read-archive.ts'
import { writeArchive } from './write-archive.ts'

/** Checks a bundle on a machine that has nothing else. `key` is the gate's public key in base64, or its fingerprint. */
export async function verifyBundleFile(
  path: string,
  key?: string,
  onProgress?: BundleTools['onProgress'],
): Promise<BundleVerdict> {
  const tools: BundleTools = {
    crypto: openVerifier(),
    digest,
    verifyPasskey,
    ...(onProgress === undefined ? {} : { onProgress }),
  }
  try {
    return await withArchive(path, (reader) => verifyBundle(reader, key, tools))
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CS_JOURNAL_DAMAGED')
      return { kind: 'damaged', message: error.message }
    throw error
  }
}

/** Writes a bundle to a new file, and verifies it before it gets its name. Decisions that do not hold stay in it. */
export function writeBundleFile(
  path: string,
  source: BundleSource,
  range: BundleRange,
  keys: BundleKeys,
): Promise<BundleManifest> {
  return writeArchive(
    path,
    (sink) => writeBundle(source, range, keys, sink),
    async (written) => {
      const verdict = await verifyBundleFile(written, keys.signer.publicKey)
      if (verdict.kind === 'damaged')
        throw new CountersignError('CS_JOURNAL_DAMAGED', `${verdict.message}; nothing was exported`)
    },
  )
}

function digest(): Digest {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    update(data) {
      const chunk = typeof data === 'string' ? Buffer.from(data, 'utf8') : data
      bytes += chunk.length
      hash.update(chunk)
    },
    end: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}
