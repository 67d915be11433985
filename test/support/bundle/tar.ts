import { createHash } from 'node:crypto'
import type { Signer } from '@countersign/core'

/** The files of a bundle, to be changed by a test. */
export type Files = Map<string, Buffer>

const BLOCK = 512

/** The files of a tar archive. */
export function unpack(archive: Buffer): Files {
  const files: Files = new Map()
  for (let at = 0; archive[at] !== 0; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 135), 8)
    files.set(name, archive.subarray(at + BLOCK, at + BLOCK + size))
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

/** One member of an archive, with any header fields. */
export function member(name: string, content: Buffer, { type = '0', link = '', size = content.length } = {}): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, 100, 'latin1')
  header.write('0000644\0' + '0000000\0' + '0000000\0', 100, 'latin1')
  header.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        ${type}${link}`, 124, 'latin1')
  header.write('ustar\0' + '00', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)])
}

/** An archive of these members. */
export function archiveOf(members: readonly Buffer[]): Buffer {
  return Buffer.concat([...members, Buffer.alloc(2 * BLOCK)])
}

export function pack(files: Files): Buffer {
  return archiveOf([...files].map(([name, content]) => member(name, content)))
}

/** Lists the files as they are now, and signs the list: what somebody with a gate's key can do. */
export function signAgain(files: Files, signer: Signer, change: (manifest: Manifest) => void = () => {}): Files {
  const manifest = JSON.parse(String(files.get('manifest.json'))) as Manifest
  manifest.gate = { id: signer.keyId, publicKey: signer.publicKey }
  manifest.origin = `countersign/${signer.keyId}`
  manifest.files = {}
  for (const [name, content] of files)
    if (!name.startsWith('manifest.'))
      manifest.files[name] = {
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
      }
  change(manifest)
  const text = `${sorted(manifest)}\n`
  const signature = signer.sign(`countersign/bundle/v1\n${text}`)
  return new Map(files).set('manifest.json', Buffer.from(text)).set('manifest.sig', Buffer.from(`${signature}\n`))
}

interface Manifest {
  v: number
  origin: string
  gate: { id: string; publicKey: string }
  range: { from: number; through: number }
  head: { size: number; root: string }
  files: Record<string, { bytes: number; sha256: string }>
}

/** JSON with sorted keys. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
}
