import { createHash } from 'node:crypto'
import { type BigIntStats, fstatSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { FileBody } from '../files/opened-file.ts'

const CHUNK_BYTES = 1_048_576
const MAX_CACHED = 256
const CACHED_FROM_BYTES = 65_536n

/** A file changed this recently may change again within the same tick of its times, so its hash is not remembered. */
const SETTLED_NS = 2_000_000_000n

/** Hashes of large programs by identity and times, so that the same shell is not read again for every call. */
export interface ProgramHashes {
  find(stats: BigIntStats): string | undefined
  remember(stats: BigIntStats, content: string): void
}

/** An empty cache of program hashes; bounded, the oldest leaves first. */
export function programHashes(): ProgramHashes {
  const known = new Map<string, string>()
  return {
    find: (stats) => (isCacheable(stats) ? known.get(statOf(stats, 'file')) : undefined),
    remember: (stats, content) => {
      if (!isCacheable(stats)) return
      const oldest = known.keys().next()
      if (known.size >= MAX_CACHED && !oldest.done) known.delete(oldest.value)
      known.set(statOf(stats, 'file'), content)
    },
  }
}

/** A target told by its identity and times instead of its content. */
export function statOf(stats: BigIntStats, type: 'file' | 'folder'): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = stats
  return type === 'file' ? `stat:${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}` : `stat:${dev}:${ino}:${mtimeNs}`
}

/** SHA-256 of an open file, or its stat when it is larger than `budget`; `unbound` when it changed while read, twice over. */
export async function hashBody(body: FileBody, budget: number, hashes: ProgramHashes): Promise<string> {
  let before = body.stats
  for (let tries = 0; tries < 2; tries += 1) {
    if (!(Number(before.size) <= budget)) return statOf(before, 'file')
    const cached = hashes.find(before)
    if (cached !== undefined) return cached
    const content = await hashBytes(body.fd, before.size)
    const after = fstatSync(body.fd, { bigint: true })
    if (content !== undefined && statOf(after, 'file') === statOf(before, 'file')) {
      hashes.remember(after, content)
      return content
    }
    before = after
  }
  return 'unbound'
}

/** Undefined when the file is shorter than its stated size. */
async function hashBytes(fd: number, size: bigint): Promise<string | undefined> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(1, Number(size))))
  let at = 0
  while (at < size) {
    const read = readSync(fd, chunk, 0, Math.min(chunk.length, Number(size) - at), at)
    if (read === 0) return undefined
    hash.update(chunk.subarray(0, read))
    at += read
    if (at < size) await setImmediate()
  }
  return hash.digest('hex')
}

function isCacheable(stats: BigIntStats): boolean {
  if (stats.size < CACHED_FROM_BYTES || (stats.mode & 0o111n) === 0n) return false
  const settled = BigInt(Date.now()) * 1_000_000n - SETTLED_NS
  return stats.mtimeNs < settled && stats.ctimeNs < settled
}
