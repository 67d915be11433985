import { describe, expect, it } from 'vitest'
import type { Decision } from '../approval/decision/decision.ts'
import { decisionMessage } from '../approval/decision/sign.ts'
import { decidedEntry } from '../approval/record/journal-entries.ts'
import { parseEntry } from '../journal/entry.ts'
import { crypto, makeSigner } from '../journal/fixture.mts'
import { proveDecision } from './decision-proof.ts'

const signer = makeSigner('ana')
const ana = { id: 'ana', name: 'Ana', publicKey: signer.publicKey }

function entryOf(decision: Decision, args = {}) {
  const unsigned = { held: 'c', requestDigest: 'd', nonce: 'n', decision, approver: 'ana', surface: 'web', at: 5 }
  const signed = { ...unsigned, signature: signer.sign(decisionMessage(unsigned)) }
  const entry = parseEntry(decidedEntry(signed, 'Ana', 6, crypto, args).line(1))
  if (entry === undefined) throw new Error('not an entry')
  return entry
}

const DECISIONS: readonly Decision[] = [
  { kind: 'approve' },
  { kind: 'reject', reason: 'no' },
  { kind: 'reject', reason: '' },
  { kind: 'approve', code: 'k7mp', reason: 'checked' },
  { kind: 'approve', edited: { path: 'a', more: [1, null] } },
  { kind: 'approve', grant: { scope: { kind: 'exact' }, lifetime: { kind: 'minutes', minutes: 5 } } as never },
]

describe('the signature of a recorded decision', () => {
  it.each(DECISIONS)('is checked from the entry alone: %j', async (decision) => {
    expect(await proveDecision(entryOf(decision), ana, { crypto })).toBe('signed')
  })

  it.each(['decision', 'call', 'request', 'nonce', 'surface', 'signedAt', 'reason', 'signature'])(
    'does not fit another `%s`',
    async (field) => {
      const entry = { ...entryOf({ kind: 'reject', reason: 'no' }), [field]: field === 'signedAt' ? 7 : 'approve' }
      expect(await proveDecision(entry, ana, { crypto })).toBe('forged')
    },
  )

  it('cannot be checked without the secret that was redacted, the nonce or the key', async () => {
    const redacted = entryOf({ kind: 'reject', reason: 'password=hunter2hunter2' })
    expect(JSON.stringify(redacted)).not.toContain('hunter2')
    expect(await proveDecision(redacted, ana, { crypto })).toBe('redacted')
    const { nonce: _, ...old } = entryOf({ kind: 'approve' })
    expect(await proveDecision(old as typeof redacted, ana, { crypto })).toBe('no-nonce')
    expect(await proveDecision(entryOf({ kind: 'approve' }), undefined, { crypto })).toBe('no-key')
  })

  it('counts for a passkey only if the assertion is for exactly this decision', async () => {
    const passkey = { ...ana, kind: 'passkey' as const }
    const entry = entryOf({ kind: 'approve' })
    const asked: string[] = []
    const verifyPasskey = async (_: unknown, sha256: string) => {
      asked.push(sha256)
      return true
    }
    expect(await proveDecision(entry, passkey, { crypto, verifyPasskey })).toBe('signed')
    const { held, requestDigest } = { held: 'c', requestDigest: 'd' }
    const unsigned = {
      held,
      requestDigest,
      nonce: 'n',
      decision: { kind: 'approve' },
      approver: 'ana',
      surface: 'web',
      at: 5,
    }
    expect(asked).toEqual([crypto.sha256(decisionMessage(unsigned as never))])
    expect(await proveDecision(entry, passkey, { crypto })).toBe('forged')
  })
})
