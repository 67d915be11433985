import { fromBase64 } from '../call/base64.ts'
import { canonicalJson } from '../call/json/canonical.ts'
import { isJsonObject, type Json } from '../call/json/json.ts'
import { CountersignError } from '../errors.ts'
import type { Verifier } from '../journal/checkpoint.ts'

/** The fixed files of a bundle, in their order in the archive. Policy versions follow as `policies/<hash>.json`. */
export const BUNDLE_FILES = {
  manifest: 'manifest.json',
  signature: 'manifest.sig',
  readme: 'README.txt',
  keys: 'keys.json',
  checkpoints: 'checkpoints.jsonl',
  /** Only of a journal that several gates share. */
  gates: 'gates.jsonl',
  tree: 'tree.jsonl',
  entries: 'entries.jsonl',
  calls: 'calls.csv',
  decisions: 'decisions.csv',
} as const

/** Files that every manifest lists: all but itself and its signature. */
const LISTED = Object.values(BUNDLE_FILES).filter(
  (name) => name !== BUNDLE_FILES.manifest && name !== BUNDLE_FILES.signature && name !== BUNDLE_FILES.gates,
)

const POLICY_FILE = /^policies\/([0-9a-f]{64})\.json$/

/** INVARIANT: L10 */
export const MAX_POLICIES = 10_000
export const MAX_CHECKPOINTS = 1_000_000
const MAX_MANIFEST = 4 * 1_048_576

/** Length and SHA-256 (hex) of one file. */
export interface BundleFile {
  readonly bytes: number
  readonly sha256: string
}

/** What a bundle contains, signed by the gate. */
export interface BundleManifest {
  readonly format: 'countersign/bundle'
  readonly v: 1
  /** The name of the journal in its checkpoints. */
  readonly origin: string
  readonly gate: { readonly id: string; readonly publicKey: string }
  /** The exported entries, both included. */
  readonly range: { readonly from: number; readonly through: number }
  /** The journal at the time of the export: its size, and the hex root over all its entries. */
  readonly head: { readonly size: number; readonly root: string }
  readonly files: { readonly [name: string]: BundleFile }
}

/** The file that holds a policy version. */
export function policyFile(hash: string): string {
  return `policies/${hash}.json`
}

/** The hash in the name of a policy version; undefined for any other name. */
export function policyHashIn(name: string): string | undefined {
  return POLICY_FILE.exec(name)?.[1]
}

/** Whether a bundle may contain a file of this name. */
export function isBundleName(name: string): boolean {
  return Object.values<string>(BUNDLE_FILES).includes(name) || POLICY_FILE.test(name)
}

export function manifestText(manifest: BundleManifest): string {
  return `${canonicalJson(manifest as unknown as Json)}\n`
}

/** The bytes the gate signs: no other message of the gate's key begins like this. */
export function manifestMessage(text: string): string {
  return `countersign/bundle/v1\n${text}`
}

/** The SHA-256 of a raw public key in hex: what people compare. Its first 16 digits are the key's id. */
export function keyFingerprint(publicKey: string, crypto: Pick<Verifier, 'sha256'>): string {
  return crypto.sha256(fromBase64(publicKey) ?? new Uint8Array())
}

/** Whether an id is that of a public key in base64. */
export function isKeyId(id: string, publicKey: string, crypto: Pick<Verifier, 'sha256'>): boolean {
  return fromBase64(publicKey) !== undefined && keyFingerprint(publicKey, crypto).slice(0, 16) === id
}

/** A manifest whose signature by its own gate key is valid. Whose key that is, it cannot prove. */
export function readManifest(text: string, signature: string, crypto: Verifier): BundleManifest {
  const manifest = parseManifest(text)
  const { gate } = manifest
  if (fromBase64(gate.publicKey)?.length !== 32 || !isKeyId(gate.id, gate.publicKey, crypto))
    throw damaged(BUNDLE_FILES.manifest, 'the gate’s id does not belong to its public key')
  // One spelling only: base64 has others of the same bytes.
  if (fromBase64(signature)?.length !== 64 || !crypto.verify(gate.publicKey, manifestMessage(text), signature))
    throw damaged(
      BUNDLE_FILES.signature,
      'the manifest is not signed by the gate’s key: it was changed after the export',
    )
  return manifest
}

function parseManifest(text: string): BundleManifest {
  const value = text.length > MAX_MANIFEST ? undefined : parseJson(text)
  if (!isJsonObject(value) || value['format'] !== 'countersign/bundle')
    throw damaged(BUNDLE_FILES.manifest, 'this is not the manifest of a bundle')
  if (value['v'] !== 1)
    throw damaged(
      BUNDLE_FILES.manifest,
      `format version \`${String(value['v']).slice(0, 20)}\` is unknown, this program reads version 1; update Countersign`,
    )
  if (!isManifest(value) || manifestText(value) !== text)
    throw damaged(BUNDLE_FILES.manifest, 'a field is missing, unknown or not in canonical form')
  return value
}

function isManifest(value: object): value is BundleManifest {
  const { gate, head, range, files, origin, ...rest } = value as { readonly [field: string]: unknown }
  return (
    hasOnly(rest, ['format', 'v']) &&
    typeof origin === 'string' &&
    isJsonObject(gate) &&
    hasOnly(gate, ['id', 'publicKey']) &&
    typeof gate['id'] === 'string' &&
    typeof gate['publicKey'] === 'string' &&
    isJsonObject(head) &&
    hasOnly(head, ['root', 'size']) &&
    isHash(head['root']) &&
    isJsonObject(range) &&
    hasOnly(range, ['from', 'through']) &&
    isRange(range['from'], range['through'], head['size']) &&
    isFileList(files)
  )
}

function isRange(from: unknown, through: unknown, size: unknown): boolean {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(through) || !Number.isSafeInteger(size)) return false
  return Number(from) >= 1 && Number(from) <= Number(through) && Number(through) <= Number(size)
}

function isFileList(files: unknown): boolean {
  if (!isJsonObject(files)) return false
  const names = Object.keys(files)
  if (!LISTED.every((name) => names.includes(name)) || names.length > LISTED.length + 1 + MAX_POLICIES) return false
  return names.every((name) => {
    const file = files[name]
    if (![...LISTED, BUNDLE_FILES.gates].some((one) => one === name) && policyHashIn(name) === undefined) return false
    if (!isJsonObject(file) || !hasOnly(file, ['bytes', 'sha256'])) return false
    return Number.isSafeInteger(file['bytes']) && Number(file['bytes']) >= 0 && isHash(file['sha256'])
  })
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function hasOnly(value: object, names: readonly string[]): boolean {
  const found = Object.keys(value)
  return found.length === names.length && found.every((name) => names.includes(name))
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error of a bundle that does not verify: which file, and why. */
export function damaged(file: string, why: string): CountersignError {
  return new CountersignError('CS_JOURNAL_DAMAGED', `\`${file}\`: ${why}`)
}
