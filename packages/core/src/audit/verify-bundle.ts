import { CountersignError } from '../errors.ts'
import { gatesOf } from './bundle-gates.ts'
import { readKeys } from './bundle-keys.ts'
import {
  BUNDLE_FILES,
  type BundleManifest,
  damaged,
  isBundleName,
  keyFingerprint,
  policyHashIn,
  readManifest,
} from './bundle-manifest.ts'
import { type BundleReader, type BundleTools, type CheckedFiles, checkedFiles, textOf } from './bundle-reader.ts'
import { type CheckedEntries, checkEntries } from './check-entries.ts'

/** What an intact bundle is, and how far its parts could be checked. */
export interface BundleFacts {
  readonly manifest: BundleManifest
  /** SHA-256 of the gate's public key. */
  readonly fingerprint: string
  /** Whether the caller named this key. */
  readonly isKeyGiven: boolean
  readonly entries: CheckedEntries
  /** Policy versions whose text is in the bundle, and those that are only named by entries. */
  readonly policies: { readonly included: number; readonly missing: readonly string[] }
}

/** The result of verifying a bundle. */
export type BundleVerdict =
  | { readonly kind: 'intact'; readonly facts: BundleFacts }
  /** The bundle is as the gate exported it, but some decisions in it do not hold. */
  | { readonly kind: 'refuted'; readonly facts: BundleFacts; readonly problems: readonly string[] }
  /** One line: the file, and what is wrong with it. */
  | { readonly kind: 'damaged'; readonly message: string }

/** Checks a bundle against itself, and against the gate's key if its fingerprint (or the key itself) is given. */
export async function verifyBundle(
  reader: BundleReader,
  key: string | undefined,
  tools: BundleTools,
): Promise<BundleVerdict> {
  try {
    const facts = await check(reader, key, tools)
    const problems = facts.entries.refuted
    return problems.length === 0 ? { kind: 'intact', facts } : { kind: 'refuted', facts, problems }
  } catch (error) {
    // Only what is said about the bundle is a verdict; a disk that fails is an error.
    if (error instanceof CountersignError && error.code === 'CS_JOURNAL_DAMAGED')
      return { kind: 'damaged', message: error.message }
    throw error
  }
}

async function check(reader: BundleReader, key: string | undefined, tools: BundleTools): Promise<BundleFacts> {
  const { crypto } = tools
  for (const name of reader.names) if (!isBundleName(name)) throw damaged(name, 'a bundle has no such file')
  const text = await textOf(reader, BUNDLE_FILES.manifest)
  const signature = await textOf(reader, BUNDLE_FILES.signature)
  if (!signature.endsWith('\n')) throw damaged(BUNDLE_FILES.signature, 'it is cut off')
  const manifest = readManifest(text, signature.slice(0, -1), crypto)
  const fingerprint = keyFingerprint(manifest.gate.publicKey, crypto)
  if (key !== undefined && key !== fingerprint && key !== manifest.gate.publicKey)
    throw damaged(
      BUNDLE_FILES.manifest,
      `it is signed by another gate: its key has the fingerprint ${fingerprint}, which is not the one given with \`--key\``,
    )
  checkNames(reader, manifest)
  const files = checkedFiles(reader, manifest, tools)
  await files.drain(BUNDLE_FILES.readme)
  const lists: string[] = []
  if (manifest.files[BUNDLE_FILES.gates] !== undefined)
    for await (const line of files.lines(BUNDLE_FILES.gates)) lists.push(line)
  const gates = gatesOf(lists, manifest, crypto)
  const approvers = readKeys(await files.text(BUNDLE_FILES.keys), manifest, crypto)
  const entries = await checkEntries(files, manifest, { approvers, gates }, tools)
  for (const name of [BUNDLE_FILES.calls, BUNDLE_FILES.decisions]) await files.drain(name)
  const policies = await checkPolicies(files, manifest, entries.policies)
  return { manifest, fingerprint, isKeyGiven: key !== undefined, entries, policies }
}

function checkNames({ names }: BundleReader, manifest: BundleManifest): void {
  const listed = [...Object.keys(manifest.files), BUNDLE_FILES.manifest, BUNDLE_FILES.signature]
  for (const name of names) if (!listed.includes(name)) throw damaged(name, 'the manifest does not list it')
  for (const name of listed) if (!names.includes(name)) throw damaged(name, 'it is missing from the archive')
}

async function checkPolicies(files: CheckedFiles, manifest: BundleManifest, named: ReadonlySet<string>) {
  const included = new Set<string>()
  for (const [name, file] of Object.entries(manifest.files)) {
    const hash = policyHashIn(name)
    if (hash === undefined) continue
    if (file.sha256 !== hash) throw damaged(name, 'its text is not the policy version in its name')
    if (!named.has(hash)) throw damaged(name, 'no entry names this policy version')
    await files.drain(name)
    included.add(hash)
  }
  return { included: included.size, missing: [...named].filter((hash) => !included.has(hash)).sort() }
}
