import { canonicalJson } from '../call/json/canonical.ts'
import type { Json } from '../call/json/json.ts'
import { CountersignError } from '../errors.ts'
import { type Checkpoint, verifyCheckpoint } from '../journal/checkpoint.ts'
import { type JournalEntry, parseEntry } from '../journal/entry.ts'
import { leafHash, SpanBuilder } from '../journal/merkle.ts'
import { readHeads } from '../journal/signed-heads.ts'
import type { Approver } from '../ports/approvers.ts'
import type { Crypto, Signer } from '../ports/crypto.ts'
import type { Span } from '../ports/store.ts'
import { type BundleGates, gatesOf } from './bundle-gates.ts'
import { keysText } from './bundle-keys.ts'
import {
  BUNDLE_FILES,
  type BundleFile,
  type BundleManifest,
  MAX_POLICIES,
  manifestMessage,
  manifestText,
  policyFile,
} from './bundle-manifest.ts'
import { createCallTables, TABLE_HEADS } from './call-tables.ts'
import { KeyHistory, keyEntry } from './key-history.ts'
import { policyHashesOf } from './policy-hashes.ts'
import { README } from './readme.ts'

/** Where the parts of a bundle come from. */
export interface BundleSource {
  /** Hashes of the oldest entries, whose lines are gone, from entry 1 on; empty when every line is there. */
  readonly spans: readonly Span[]
  /** Lines from..to as they were hashed, for entries after `spans`. */
  lines(from: number, to: number): AsyncIterable<string>
  /** Every version of the list of gates, where several share the journal. */
  readonly gateLists?: readonly string[]
  /** Every known checkpoint. */
  readonly notes: readonly string[]
  /** Everyone who is enrolled now. */
  readonly approvers: readonly Approver[]
  /** The kept text of a policy version, whose SHA-256 is its name. */
  policy(hash: string): Promise<string | undefined>
}

/** Where the files of a bundle go, one after another or beside each other. */
export interface BundleSink {
  open(name: string): Promise<BundlePart>
}

/** One file that is being written. */
export interface BundlePart {
  write(text: string): Promise<void>
  close(): Promise<BundleFile>
}

/** The range to export, and the signed checkpoint up to which the journal is proven. */
export interface BundleRange {
  readonly from: number
  readonly through: number
  readonly note: string
}

/** Whose journal it is: hashes of the home, the gate's key, and the journal's name in its checkpoints. */
export interface BundleKeys {
  readonly crypto: Crypto
  readonly signer: Signer
  readonly origin: string
}

/**
 * Writes everything that a person without this home needs to check a range of the journal: the entries and two tables of
 * them, every checkpoint, hashes of all other entries, public keys, policy versions, and a signed list of these files.
 * Reads the journal once, page by page.
 */
export async function writeBundle(
  source: BundleSource,
  range: BundleRange,
  keys: BundleKeys,
  sink: BundleSink,
): Promise<BundleManifest> {
  const { crypto, signer, origin } = keys
  const files: Record<string, BundleFile> = {}
  const head = verifyCheckpoint(range.note, signer.publicKey, crypto)
  if (head === undefined) throw new CountersignError('CS_KEY', 'the checkpoint is not signed by this gate’s key')
  const open = async (name: string): Promise<BundlePart> => {
    const part = await sink.open(name)
    return { write: (text) => part.write(text), close: async () => (files[name] = await part.close()) }
  }
  const put = async (name: string, texts: Iterable<string>): Promise<void> => {
    const part = await open(name)
    for (const text of texts) await part.write(text)
    await part.close()
  }
  await put(BUNDLE_FILES.readme, [README])
  const { gateLists = [] } = source
  const gate = { id: signer.keyId, publicKey: signer.publicKey }
  const notes = notesUpTo(head, [...source.notes, range.note], gatesOf(gateLists, { gate, origin }, crypto), keys)
  await put(
    BUNDLE_FILES.checkpoints,
    notes.map(({ note }) => `${canonicalJson(note)}\n`),
  )
  const bounds = notes.map(({ size }) => size)
  const { history, policies, lists } = await writeEntries(source, { ...range, size: head.size, bounds }, crypto, open)
  // A version that was added meanwhile has no entry here.
  if (gateLists.length > 0)
    await put(
      BUNDLE_FILES.gates,
      gateLists.slice(0, lists).map((list) => `${list}\n`),
    )
  await put(BUNDLE_FILES.keys, [keysText(source.approvers, history, signer, crypto)])
  for (const hash of [...policies].sort()) {
    const text = await source.policy(hash)
    if (text !== undefined) await put(policyFile(hash), [text])
  }
  const manifest: BundleManifest = {
    format: 'countersign/bundle',
    v: 1,
    origin,
    gate,
    range: { from: range.from, through: range.through },
    head: { size: head.size, root: head.root },
    files: { ...files },
  }
  const text = manifestText(manifest)
  await put(BUNDLE_FILES.manifest, [text])
  await put(BUNDLE_FILES.signature, [`${signer.sign(manifestMessage(text))}\n`])
  return manifest
}

/** Distinct checkpoints of this journal up to the head, rising. */
function notesUpTo(
  head: Checkpoint,
  notes: readonly string[],
  { publicKeys, removedKeys }: BundleGates,
  { crypto, origin }: BundleKeys,
) {
  const known = new Map<string, { readonly size: number; readonly note: string }>()
  for (const note of notes) {
    const { heads } = readHeads([], { publicKeys, removedKeys, kept: [note], origin, crypto }, head.size)
    const size = heads[0]?.size ?? 0
    if (size > 0 && size <= head.size) known.set(note, { size, note })
  }
  return [...known.values()].sort((a, b) => a.size - b.size || (a.note < b.note ? -1 : 1))
}

interface WrittenRange {
  readonly from: number
  readonly through: number
  readonly size: number
  readonly bounds: readonly number[]
}

/** The entries of the range with their tables, and what proves their place: the tree of all other entries. */
async function writeEntries(
  source: BundleSource,
  { from, through, size, bounds }: WrittenRange,
  crypto: Crypto,
  open: (name: string) => Promise<BundlePart>,
) {
  const history = new KeyHistory()
  const policies = new Set<string>()
  let lists = 0
  const take = (entry: JournalEntry): void => {
    history.take(entry)
    if (entry.kind === 'gates-changed') lists = Number(entry['version'])
  }
  const [tree, entries, calls, decisions] = await Promise.all(
    [BUNDLE_FILES.tree, BUNDLE_FILES.entries, BUNDLE_FILES.calls, BUNDLE_FILES.decisions].map(open),
  )
  if (tree === undefined || entries === undefined || calls === undefined || decisions === undefined)
    throw new CountersignError('CS_INTERNAL', 'a file of the bundle was not opened; please report this')
  const segment = (value: object): Promise<void> => tree.write(`${canonicalJson(value as Json)}\n`)

  /** Entries that are only proven, except those about keys: they tell who could decide in the range. */
  async function others(first: number, last: number): Promise<void> {
    let at = first - 1
    let builder = new SpanBuilder(at, bounds, crypto)
    const flush = async (): Promise<void> => {
      for (const span of builder.spans()) await segment({ ...span })
      builder = new SpanBuilder(at, bounds, crypto)
    }
    if (first > last) return
    for await (const line of source.lines(first, last)) {
      const entry = keyEntry(line)
      if (entry === undefined) {
        builder.add(leafHash(line, crypto))
        at += 1
        continue
      }
      await flush()
      take(entry)
      await segment({ line })
      at += 1
      builder = new SpanBuilder(at, bounds, crypto)
    }
    await flush()
    if (at !== last) throw changed()
  }

  async function chosen(): Promise<void> {
    const tables = createCallTables()
    await segment({ entries: [from, through] })
    await calls?.write(TABLE_HEADS.calls)
    await decisions?.write(TABLE_HEADS.decisions)
    let at = from - 1
    for await (const line of source.lines(from, through)) {
      const entry = parseEntry(line)
      at += 1
      if (entry?.seq !== at) throw changed()
      take(entry)
      for (const hash of policyHashesOf(entry)) if (policies.size < MAX_POLICIES) policies.add(hash)
      const rows = tables.take(entry)
      await entries?.write(`${line}\n`)
      if (rows.calls !== '') await calls?.write(rows.calls)
      if (rows.decisions !== '') await decisions?.write(rows.decisions)
    }
    if (at !== through) throw changed()
    await calls?.write(tables.end().calls)
  }

  for (const span of source.spans) await segment({ ...span })
  await others((source.spans.at(-1)?.to ?? 0) + 1, from - 1)
  await chosen()
  await others(through + 1, size)
  for (const part of [tree, entries, calls, decisions]) await part.close()
  return { history, policies, lists }
}

function changed(): CountersignError {
  return new CountersignError('CS_STORE_READ', 'the journal changed while it was exported; run the export again')
}
