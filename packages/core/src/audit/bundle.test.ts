import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signCheckpoint, verifyCheckpoint } from '../journal/checkpoint.ts'
import { draftEntry } from '../journal/entry.ts'
import { crypto, makeSigner } from '../journal/fixture.mts'
import { append, type MemoryJournal, memoryJournal } from '../journal/memory-journal.mts'
import { appendLeaf, leafHash, SpanBuilder } from '../journal/merkle.ts'
import { consistencyProof, verifyConsistency } from '../journal/proof.mts'
import type { Span } from '../ports/store.ts'
import type { BundleManifest } from './bundle-manifest.ts'
import type { BundleReader, BundleTools, Digest } from './bundle-reader.ts'
import { verifyBundle } from './verify-bundle.ts'
import { writeBundle } from './write-bundle.ts'

const signer = makeSigner()
const gate = { ...signer, keyId: crypto.sha256(Buffer.from(signer.publicKey, 'base64')).slice(0, 16) }
const origin = `countersign/${gate.keyId}`

const KINDS = ['judged', 'notice', 'decided', 'completed', 'refused', 'key-made', 'opened', 'held'] as const

/** A journal with its checkpoints, and how much of its beginning is known by hashes alone. */
const journals = fc
  .array(fc.record({ kind: fc.constantFrom(...KINDS), call: fc.constantFrom('a', 'b', 'c'), text: fc.string() }), {
    minLength: 1,
    maxLength: 40,
  })
  .chain((entries) =>
    fc.record({
      entries: fc.constant(entries),
      signedAt: fc.uniqueArray(fc.integer({ min: 1, max: entries.length }), { maxLength: 6 }),
      gone: fc.integer({ min: 0, max: entries.length - 1 }),
      bounds: fc.tuple(fc.nat(), fc.nat()),
    }),
  )

interface Made {
  readonly journal: MemoryJournal
  readonly spans: readonly Span[]
  readonly files: Map<string, string>
  readonly manifest: BundleManifest
  readonly notes: readonly string[]
}

async function make(given: typeof journals extends fc.Arbitrary<infer T> ? T : never): Promise<Made> {
  const journal = memoryJournal(0)
  const notes: string[] = []
  for (const [index, { kind, call, text }] of given.entries.entries()) {
    const ofKey = { key: 'a1', name: text, of: 'ed25519', publicKey: text }
    const ofCall = {
      key: 'a1',
      tool: text,
      args: { text },
      policy: crypto.sha256(text),
      reason: text,
      decision: 'approve',
    }
    const body = kind === 'key-made' ? { kind, call: null, ...ofKey } : { kind, call, ...ofCall }
    append(journal, draftEntry(body, 1000 + index).line(index + 1))
    if (given.signedAt.includes(index + 1)) notes.push(signCheckpoint(journal.head, gate, crypto, origin))
  }
  const note = signCheckpoint(journal.head, gate, crypto, origin)
  const gone = new SpanBuilder(0, [...given.signedAt, given.gone], crypto)
  for (const row of journal.rows.slice(0, given.gone)) gone.add(row.leaf)
  const spans = gone.spans()
  const left = given.entries.length - given.gone
  const [from, through] = given.bounds.map((n) => given.gone + 1 + (n % left)).sort((a, b) => a - b) as [number, number]
  const files = new Map<string, string>()
  const manifest = await writeBundle(
    {
      spans,
      async *lines(first, last) {
        for (const row of journal.rows.slice(first - 1, last)) yield row.line
      },
      notes: [...notes, ...notes],
      approvers: [],
      policy: async (hash) =>
        given.entries.map(({ text }) => text).find((text) => crypto.sha256(text) === hash && text.length > 3),
    },
    { from, through, note },
    { crypto, signer: gate, origin },
    {
      async open(name) {
        let text = ''
        return {
          async write(more) {
            text += more
          },
          async close() {
            files.set(name, text)
            return { bytes: Buffer.byteLength(text), sha256: crypto.sha256(text) }
          },
        }
      },
    },
  )
  return { journal, spans, files, manifest, notes: [...notes, note] }
}

const tools: BundleTools = { crypto, digest }

function digest(): Digest {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    update(data) {
      bytes += Buffer.from(data as string).length
      hash.update(data)
    },
    end: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}

/** Reads in small chunks, so that lines and characters are cut anywhere. */
function readerOf(files: ReadonlyMap<string, string>): BundleReader {
  return {
    names: [...files.keys()],
    async *read(name) {
      const bytes = Buffer.from(files.get(name) ?? '')
      for (let at = 0; at < bytes.length; at += 61) yield bytes.subarray(at, at + 61)
    },
  }
}

describe('a bundle of any journal', () => {
  it('verifies for any range, checkpoints and archived beginning, and holds the entries as they were', async () => {
    await fc.assert(
      fc.asyncProperty(journals, async (given) => {
        const { journal, files, manifest } = await make(given)
        const verdict = await verifyBundle(readerOf(files), undefined, tools)
        expect(verdict).toMatchObject({ kind: 'intact', facts: { entries: { unproven: 0 } } })
        const { from, through } = manifest.range
        const lines = journal.rows.slice(from - 1, through).map(({ line }) => `${line}\n`)
        expect(files.get('entries.jsonl')).toBe(lines.join(''))
      }),
      { numRuns: 150 },
    )
  })

  it('has checkpoints of which RFC 6962 proves each to be the beginning of the next', async () => {
    await fc.assert(
      fc.asyncProperty(journals, async (given) => {
        const { journal, files, manifest } = await make(given)
        const notes = (files.get('checkpoints.jsonl') ?? '')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as string)
        const heads = notes.map((note) => verifyCheckpoint(note, gate.publicKey, crypto))
        const leaves = journal.rows.map(({ leaf }) => leaf)
        expect(heads.at(-1)).toMatchObject(manifest.head)
        for (const [index, now] of heads.entries()) {
          const old = heads[index - 1]
          if (old === undefined || now === undefined) continue
          const proof = consistencyProof(leaves.slice(0, now.size), old.size, crypto)
          expect(verifyConsistency(old, now, proof, crypto)).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('does not verify with any other text in any file', async () => {
    await fc.assert(
      fc.asyncProperty(
        journals,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 127 }),
        async (given, file, place, bits) => {
          const { files } = await make(given)
          const names = [...files.keys()]
          const name = names[file % names.length] ?? ''
          const text = files.get(name) ?? ''
          fc.pre(text.length > 0)
          const at = place % text.length
          const other = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ bits) + text.slice(at + 1)
          fc.pre(Buffer.from(other).compare(Buffer.from(text)) !== 0)
          const verdict = await verifyBundle(readerOf(new Map(files).set(name, other)), undefined, tools)
          expect(verdict.kind).toBe('damaged')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('does not verify with the entries of another history of the same size', async () => {
    await fc.assert(
      fc.asyncProperty(journals, fc.nat(), async (given, which) => {
        const { files, journal, manifest } = await make(given)
        const { from, through } = manifest.range
        const at = from - 1 + (which % (through - from + 1))
        const line = (journal.rows[at]?.line ?? '').replace(/"at":\d+/, '"at":5')
        const entries = (files.get('entries.jsonl') ?? '')
          .split('\n')
          .with(at - from + 1, line)
          .join('\n')
        const forged = new Map(files).set('entries.jsonl', entries)
        const list = JSON.parse(files.get('manifest.json') ?? '') as { files: Record<string, object> }
        list.files['entries.jsonl'] = { bytes: Buffer.byteLength(entries), sha256: crypto.sha256(entries) }
        const text = `${JSON.stringify(list)}\n`
        forged.set('manifest.json', text).set('manifest.sig', `${gate.sign(`countersign/bundle/v1\n${text}`)}\n`)
        expect(await verifyBundle(readerOf(forged), undefined, tools)).toMatchObject({
          kind: 'damaged',
          message: expect.stringContaining('does not fit'),
        })
        expect(appendLeaf('', 0, leafHash(line, crypto), crypto)).not.toBe(journal.rows[at]?.leaf)
      }),
      { numRuns: 50 },
    )
  })
})
