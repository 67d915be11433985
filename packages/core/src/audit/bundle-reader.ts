import type { Verifier } from '../journal/checkpoint.ts'
import type { Approvers } from '../ports/approvers.ts'
import { type BundleFile, type BundleManifest, damaged } from './bundle-manifest.ts'

/** An opened archive with exactly these files. */
export interface BundleReader {
  readonly names: readonly string[]
  read(name: string): AsyncIterable<Uint8Array>
}

/** A running SHA-256. */
export interface Digest {
  update(data: string | Uint8Array): void
  /** Ends it. */
  end(): BundleFile
}

/** What verifying a bundle needs: no home, no store, no key. */
export interface BundleTools {
  readonly crypto: Verifier
  digest(): Digest
  readonly verifyPasskey?: Approvers['verifyPasskey']
  onProgress?(done: number, total: number): void
}

const MAX_TEXT = 8 * 1_048_576

/** Files of a bundle, each compared with the manifest while it is read. */
export interface CheckedFiles {
  /** Lines without their line break; the last one must have one. */
  lines(name: string): AsyncIterable<string>
  text(name: string): Promise<string>
  /** Reads a file for its digest alone. */
  drain(name: string): Promise<void>
}

export function checkedFiles(reader: BundleReader, manifest: BundleManifest, tools: BundleTools): CheckedFiles {
  async function* checked(name: string): AsyncGenerator<Uint8Array> {
    const digest = tools.digest()
    for await (const bytes of reader.read(name)) {
      digest.update(bytes)
      yield bytes
    }
    if (!isSameFile(digest.end(), manifest.files[name]))
      throw damaged(name, 'its content is not what the manifest lists: it was changed after the export')
  }
  return {
    lines: (name) => linesOf(name, checked(name)),
    text: (name) => joined(name, checked(name)),
    async drain(name) {
      for await (const _ of checked(name));
    },
  }
}

export function isSameFile(one: BundleFile, other: BundleFile | undefined): boolean {
  return one.bytes === other?.bytes && one.sha256 === other.sha256
}

/** The text of a file that the manifest does not list. */
export function textOf(reader: BundleReader, name: string): Promise<string> {
  if (!reader.names.includes(name)) throw damaged(name, 'it is missing from the archive')
  return joined(name, reader.read(name))
}

async function joined(name: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  for await (const chunk of chunks) {
    text += decoded(name, () => decoder.decode(chunk, { stream: true }))
    if (text.length > MAX_TEXT) throw damaged(name, 'it is too large')
  }
  return text + decoded(name, () => decoder.decode())
}

async function* linesOf(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoded(name, () => decoder.decode(chunk, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_TEXT) throw damaged(name, 'it has a line without an end')
    yield* lines
  }
  if (rest + decoded(name, () => decoder.decode()) !== '') throw damaged(name, 'its last line is cut off')
}

function decoded(name: string, decode: () => string): string {
  try {
    return decode()
  } catch {
    throw damaged(name, 'it is not UTF-8 text')
  }
}
