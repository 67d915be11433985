import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { parseEntry } from '../../journal/entry.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { SignedDecision } from '../decision/decision.ts'
import { decisionMessage, signedText } from '../decision/sign.ts'
import type { Judgement } from '../request/judgement.ts'
import { decidedEntry, judgedEntry, startedEntry } from './journal-entries.ts'

const crypto = { keyedHash: (text: string) => String(text.length).padStart(64, '0') } as unknown as Crypto
const words = fc.string({ unit: 'binary', maxLength: 40 })

/** The parts of a judgement that its entry records, with texts that need every kind of escape. */
const judgements = fc.record({
  call: fc.record({
    id: fc.uuid(),
    agent: fc.record({ name: words, parents: fc.array(words, { maxLength: 2 }) }),
    args: fc.dictionary(words, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>),
    cwd: words,
    descriptor: fc.constant({ kind: 'read', source: 'guessed' }),
    digest: fc.constant('ab'.repeat(32)),
    grantKey: fc.constant('cd'.repeat(32)),
    said: fc.option(words),
    reasoning: fc.option(words),
    annotations: fc.option(fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() })),
    requiresConfirmation: fc.boolean(),
    source: fc.constantFrom('builtin', 'mcp', 'custom'),
    session: fc.option(words),
    tool: fc.record({ server: fc.option(words), name: words, definition: fc.constantFrom('unbound', 'ef'.repeat(32)) }),
  }),
  circumstances: fc.record({
    counters: fc.dictionary(words, fc.nat()),
    grants: fc.array(fc.record({ id: words }), { maxLength: 2 }),
    now: fc.nat(),
    places: fc.record({ workspace: words }),
  }),
  risk: fc.record({
    level: fc.constant('low'),
    reversible: fc.constant('yes'),
    reasons: fc.array(fc.record({ text: words }), { maxLength: 2 }),
    paths: fc.array(fc.record({ given: words, real: fc.option(words), use: fc.constant('read') }), { maxLength: 2 }),
  }),
  safety: fc.record({
    findings: fc.array(fc.record({ checker: words, status: fc.constant('warn'), message: words }), { maxLength: 2 }),
  }),
  supervision: fc.constant('automatic'),
  verdict: fc.record({
    contributors: fc.array(fc.record({ id: words }), { maxLength: 2 }),
    policyHash: fc.constant('01'.repeat(32)),
    reasons: fc.array(words, { maxLength: 2 }),
    rule: fc.record({ file: fc.option(words), id: words, layer: words, line: fc.option(fc.nat()) }),
  }),
}) as unknown as fc.Arbitrary<Judgement>

describe('the entry of a judged call', () => {
  it('is canonical JSON for any call', () => {
    fc.assert(
      fc.property(judgements, fc.nat(), (judgement, seq) => {
        const line = judgedEntry(judgement, crypto).line(seq)
        expect(canonicalJson(JSON.parse(line) as Json)).toBe(line)
        expect(parseEntry(line)).toMatchObject({ v: 1, seq, kind: 'judged', call: judgement.call.id })
      }),
    )
  })

  it('truncates long texts to fit, and keeps the sequence number and time', () => {
    fc.assert(
      fc.property(judgements, (judgement) => {
        const call = { ...judgement.call, args: { text: 'long '.repeat(20_000) } }
        const line = judgedEntry({ ...judgement, call }, crypto).line(7)
        expect(line.length).toBeLessThan(65_536)
        expect(canonicalJson(JSON.parse(line) as Json)).toBe(line)
        expect(parseEntry(line)).toMatchObject({
          seq: 7,
          at: judgement.circumstances.now,
          digest: judgement.call.digest,
        })
      }),
      { numRuns: 5 },
    )
  })
})

const decisions = fc.record({
  held: words,
  requestDigest: words,
  nonce: words,
  approver: words,
  surface: words,
  at: fc.maxSafeInteger(),
  signature: words,
  decision: fc.record(
    {
      kind: fc.constantFrom('approve', 'reject'),
      reason: words,
      code: words,
      edited: fc.dictionary(words, fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>),
      grant: fc.record({ scope: fc.record({ kind: words }), lifetime: fc.record({ kind: words }) }),
    },
    { requiredKeys: ['kind'] },
  ),
}) as unknown as fc.Arbitrary<SignedDecision>

describe('the entries of a decision and a start', () => {
  it('is canonical JSON for any decision', () => {
    fc.assert(
      fc.property(decisions, words, fc.nat(), (signed, by, seq) => {
        const line = decidedEntry(signed, by, 5, crypto, {}).line(seq)
        expect(canonicalJson(JSON.parse(line) as Json)).toBe(line)
        expect(parseEntry(line)).toMatchObject({ seq, at: 5, kind: 'decided', call: signed.held, by })
        expect(signedText(signed)).toBe(canonicalJson(signed as unknown as Json))
        const { signature: _, ...unsigned } = signed
        expect(decisionMessage(signed)).toBe(`countersign/decision/v1\n${canonicalJson(unsigned as unknown as Json)}`)
      }),
    )
  })

  it('is canonical JSON for any start', () => {
    fc.assert(
      fc.property(judgements, fc.option(words), fc.boolean(), fc.boolean(), ({ call }, by, isEdited, isMoved) => {
        const bounds = { workspace: 'write', write: ['/srv'], read: [], network: [], credentials: [] } as const
        const line = startedEntry(call, by, isEdited, 9, isMoved ? bounds : null).line(3)
        expect(canonicalJson(JSON.parse(line) as Json)).toBe(line)
        expect(parseEntry(line)).toMatchObject({ seq: 3, at: 9, kind: 'started', by, edited: isEdited })
      }),
    )
  })
})
