import { canonicalJson } from '../call/json/canonical.ts'
import { isJsonObject, type Json } from '../call/json/json.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { checkEntry, type FoundEntry, nameMisplaced } from '../journal/entry-check.ts'
import { readHeads } from '../journal/signed-heads.ts'
import { TreeCheck } from '../journal/tree-check.ts'
import type { Span } from '../ports/store.ts'
import { type BundleGates, checkSigners } from './bundle-gates.ts'
import type { ListedKey } from './bundle-keys.ts'
import {
  BUNDLE_FILES,
  type BundleManifest,
  damaged,
  MAX_CHECKPOINTS,
  MAX_POLICIES,
  parseJson,
} from './bundle-manifest.ts'
import { type BundleTools, type CheckedFiles, isSameFile } from './bundle-reader.ts'
import { createCallTables, TABLE_HEADS } from './call-tables.ts'
import { proveDecision } from './decision-proof.ts'
import { KeyHistory, keyEntry } from './key-history.ts'
import { createListChecks } from './list-checks.ts'
import { policyHashesOf } from './policy-hashes.ts'

/** What the entries of a bundle prove. */
export interface CheckedEntries {
  readonly checkpoints: number
  /** Checkpoints that end inside entries of which only hashes are left: nothing here can prove them. */
  readonly unproven: number
  readonly firstAt: number
  readonly lastAt: number
  readonly decisions: DecisionCounts
  /** Decisions that do not hold, one line each: forged, or by a key that had been removed. The first 100. */
  readonly refuted: readonly string[]
  /** Keys that decided in the range and that no entry enrolled. */
  readonly unrecorded: readonly string[]
  /** Hashes of the policy versions that entries of the range name. */
  readonly policies: ReadonlySet<string>
}

/** Decisions of the range, by how far their signatures could be checked. */
export interface DecisionCounts {
  readonly all: number
  readonly signed: number
  readonly redacted: number
  readonly noNonce: number
  readonly noKey: number
}

/**
 * Rebuilds the tree of the journal from the entries of the range and the hashes of all others, and compares it with every
 * checkpoint on the way: each of them is then a beginning of the last one.
 */
export async function checkEntries(
  files: CheckedFiles,
  manifest: BundleManifest,
  { approvers, gates }: { readonly approvers: ReadonlyMap<string, ListedKey>; readonly gates: BundleGates },
  tools: BundleTools,
): Promise<CheckedEntries> {
  const { crypto } = tools
  const notes: string[] = []
  for await (const line of files.lines(BUNDLE_FILES.checkpoints)) {
    const note = parseJson(line)
    if (typeof note !== 'string')
      throw damaged(BUNDLE_FILES.checkpoints, `line ${notes.length + 1} is not a checkpoint`)
    if (notes.push(note) > MAX_CHECKPOINTS) throw damaged(BUNDLE_FILES.checkpoints, 'it has too many checkpoints')
  }
  const { head, range, origin } = manifest
  const { publicKeys, removedKeys } = gates
  const { heads, damages } = readHeads([], { publicKeys, removedKeys, kept: notes, origin, crypto }, head.size)
  if (damages[0] !== undefined) throw damaged(BUNDLE_FILES.checkpoints, damages[0].message)
  const tree = new TreeCheck(heads, crypto)
  const checks = createEntryChecks(approvers, gates, tools)
  let isRangeRead = false
  for await (const text of files.lines(BUNDLE_FILES.tree)) {
    const segment = readSegment(text, tree.size + 1)
    switch (segment.kind) {
      case 'span': {
        const gap = tree.archive([segment.span])
        if (gap !== undefined) throw damaged(BUNDLE_FILES.tree, gap.message)
        break
      }
      case 'line': {
        const check = checkEntry({ line: segment.line }, tree.size + 1, crypto)
        if (check.kind !== 'good' || keyEntry(segment.line) === undefined)
          throw damaged(BUNDLE_FILES.tree, `entry ${tree.size + 1} is not an entry about a key in its place`)
        checks.takeKey(check.entry)
        tree.append(check.leaf)
        break
      }
      case 'entries': {
        if (
          isRangeRead ||
          segment.from !== range.from ||
          segment.through !== range.through ||
          tree.size !== range.from - 1
        )
          throw damaged(BUNDLE_FILES.tree, 'the exported entries are not where the manifest places them')
        isRangeRead = true
        await readRange(files, tree, { ...range, size: head.size }, checks, tools)
        break
      }
      default:
        return segment satisfies never
    }
    if (tree.misfit !== undefined) throw misfit(tree.misfit)
    if (tree.size > head.size)
      throw damaged(BUNDLE_FILES.tree, `it has more than the ${head.size} entries of the manifest`)
  }
  if (!isRangeRead) throw damaged(BUNDLE_FILES.tree, 'the exported entries have no place in it')
  if (tree.size !== head.size)
    throw damaged(BUNDLE_FILES.tree, `it ends at entry ${tree.size}, before the head of the manifest at ${head.size}`)
  if (tree.beyond() !== undefined) throw damaged(BUNDLE_FILES.checkpoints, 'a checkpoint is newer than the manifest')
  if (tree.root !== head.root || tree.signedTo !== head.size)
    throw damaged(BUNDLE_FILES.checkpoints, 'no checkpoint signs the head of the manifest')
  checks.compareTables(manifest)
  checks.compareEnrolments()
  checks.compareGates(notes)
  return { ...checks.result(), checkpoints: heads.length, unproven: tree.unproven }
}

function misfit({ after, size }: { readonly after: number; readonly size: number }) {
  return damaged(
    BUNDLE_FILES.entries,
    `the checkpoint of ${size} entries does not fit: entries ${after + 1} to ${size} were changed, or the checkpoint belongs to another history`,
  )
}

interface PlacedRange {
  readonly from: number
  readonly through: number
  readonly size: number
}

async function readRange(
  files: CheckedFiles,
  tree: TreeCheck,
  { from, through }: PlacedRange,
  checks: EntryChecks,
  { crypto, onProgress }: BundleTools,
): Promise<void> {
  const rows = foundIn(files.lines(BUNDLE_FILES.entries))
  const total = through - from + 1
  for (let row = await rows.next(); row.done !== true; row = await rows.next()) {
    const seq = tree.size + 1
    if (seq > through)
      throw damaged(BUNDLE_FILES.entries, `it goes on after entry ${through}, where the manifest ends it`)
    const check = checkEntry(row.value, seq, crypto)
    if (check.kind === 'misplaced') throw damaged(BUNDLE_FILES.entries, (await nameMisplaced(check, seq, rows)).message)
    if (check.kind === 'bad') throw damaged(BUNDLE_FILES.entries, check.damage.message)
    tree.append(check.leaf)
    if (tree.misfit !== undefined) throw misfit(tree.misfit)
    await checks.take(check.entry)
    if (seq % 1000 === 0) onProgress?.(seq - from + 1, total)
  }
  if (tree.size !== through)
    throw damaged(
      BUNDLE_FILES.entries,
      `it ends at entry ${tree.size}, and the manifest lists entries ${from} to ${through}`,
    )
}

async function* foundIn(lines: AsyncIterable<string>): AsyncGenerator<FoundEntry> {
  for await (const line of lines) yield { line }
}

type Segment =
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'entries'; readonly from: number; readonly through: number }

function readSegment(text: string, seq: number): Segment {
  const value = parseJson(text)
  if (isJsonObject(value) && canonicalJson(value as Json) === text) {
    const names = Object.keys(value).join()
    const { from, to, nodes, line, entries } = value
    if (names === 'from,nodes,to' && typeof from === 'number' && typeof to === 'number' && typeof nodes === 'string')
      return { kind: 'span', span: { from, to, nodes } }
    if (names === 'line' && typeof line === 'string') return { kind: 'line', line }
    if (names === 'entries' && Array.isArray(entries) && entries.length === 2)
      return { kind: 'entries', from: Number(entries[0]), through: Number(entries[1]) }
  }
  throw damaged(BUNDLE_FILES.tree, `what follows entry ${seq - 1} is neither hashes nor an entry`)
}

const MOST_REFUTED = 100

type EntryChecks = ReturnType<typeof createEntryChecks>

/** What is checked and counted entry by entry. */
function createEntryChecks(keys: ReadonlyMap<string, ListedKey>, gates: BundleGates, tools: BundleTools) {
  const lists = createListChecks(gates)
  const history = new KeyHistory()
  const tables = createCallTables()
  const [calls, decisions] = [tools.digest(), tools.digest()]
  calls.update(TABLE_HEADS.calls)
  decisions.update(TABLE_HEADS.decisions)
  const counts = { all: 0, signed: 0, redacted: 0, noNonce: 0, noKey: 0 }
  const unrecorded = new Set<string>()
  const refuted: string[] = []
  const policies = new Set<string>()
  let firstAt: number | undefined
  let lastAt = 0

  async function takeDecision(entry: JournalEntry): Promise<void> {
    const refute = (why: string): void => {
      if (refuted.length < MOST_REFUTED) refuted.push(`the decision in entry ${entry.seq} ${why}`)
    }
    const { key } = entry
    counts.all += 1
    if (typeof key !== 'string') return refute('names no key')
    const state = history.stateOf(key)
    if (state.kind === 'unrecorded' && unrecorded.size < MOST_REFUTED) unrecorded.add(key)
    if (state.kind === 'removed') refute(`was signed with key \`${key}\`, which was removed in entry ${state.entry}`)
    const proof = await proveDecision(entry, keys.get(key)?.approver, tools)
    switch (proof) {
      case 'signed':
        counts.signed += 1
        return
      case 'redacted':
        counts.redacted += 1
        return
      case 'no-nonce':
        counts.noNonce += 1
        return
      case 'no-key':
        counts.noKey += 1
        return
      case 'forged':
        refute(`is not signed by key \`${key}\``)
        return
      default:
        return proof satisfies never
    }
  }

  return {
    takeKey(entry: JournalEntry): void {
      history.take(entry)
      lists.take(entry)
    },
    compareGates(notes: readonly string[]): void {
      checkSigners(notes, gates, lists.end(), tools.crypto)
    },
    async take(entry: JournalEntry): Promise<void> {
      firstAt ??= entry.at
      lastAt = entry.at
      history.take(entry)
      lists.take(entry)
      for (const hash of policyHashesOf(entry)) if (policies.size < MAX_POLICIES) policies.add(hash)
      const rows = tables.take(entry)
      calls.update(rows.calls)
      decisions.update(rows.decisions)
      if (entry.kind === 'decided') await takeDecision(entry)
    },
    compareTables({ files }: BundleManifest): void {
      calls.update(tables.end().calls)
      for (const [name, digest] of [
        [BUNDLE_FILES.calls, calls],
        [BUNDLE_FILES.decisions, decisions],
      ] as const)
        if (!isSameFile(digest.end(), files[name])) throw damaged(name, 'its rows are not what the entries say')
    },
    compareEnrolments(): void {
      for (const [id, { enrolled }] of keys)
        if (enrolled !== history.enrolmentOf(id))
          throw damaged(BUNDLE_FILES.keys, `key ${id} was not enrolled in the entry it names`)
    },
    result: () => ({
      firstAt: firstAt ?? 0,
      lastAt,
      decisions: counts,
      refuted,
      unrecorded: [...unrecorded].sort(),
      policies,
    }),
  }
}
