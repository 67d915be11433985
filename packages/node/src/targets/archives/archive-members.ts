import { closeSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { openBody } from '../../files/opened-file.ts'
import { readUpTo } from '../../files/private-file.ts'
import { entryAt } from '../../files/real-path.ts'
import { tarMembers } from './tar-members.ts'
import { zipMembers } from './zip-members.ts'

const MOST_UNPACKED = 64 * 1024 * 1024
const unpack = promisify(gunzip)

/**
 * The names in an archive. Undefined if it is larger than `maxBytes`, compressed by anything but gzip, or not read in one way
 * only by every program.
 */
export async function archiveMembers(
  real: string,
  format: 'tar' | 'zip',
  maxBytes: number,
): Promise<readonly string[] | undefined> {
  const bytes = readWhole(real, maxBytes)
  if (bytes === undefined) return undefined
  try {
    if (format === 'zip') return zipMembers(bytes)
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
    return tarMembers(isPacked ? await unpack(bytes, { maxOutputLength: MOST_UNPACKED }) : bytes)
  } catch {
    return undefined
  }
}

function readWhole(real: string, maxBytes: number): Buffer | undefined {
  const entry = entryAt(real)
  if (entry === undefined || !entry.isFile() || Number(entry.size) > maxBytes) return undefined
  const body = openBody(real, entry)
  if (typeof body === 'string') return undefined
  try {
    const bytes = readUpTo(body.fd, maxBytes + 1, Number(body.stats.size) + 1)
    return bytes.length === Number(body.stats.size) ? bytes : undefined
  } finally {
    closeSync(body.fd)
  }
}
