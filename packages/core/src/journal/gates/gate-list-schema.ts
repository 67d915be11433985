import * as z from 'zod'

/** A list has an end, like every queue and string. INVARIANT: L10. */
const MAX_GATES = 1_000
const MAX_APPROVERS = 10_000

const text = z.string().min(1).max(4_096)
const whole = z.number().int().nonnegative()
const LISTED = z.strictObject({
  id: text,
  name: text.max(200),
  publicKey: text,
  addedAt: whole,
  removedAfter: whole.nullable(),
})
const APPROVER = z.strictObject({
  id: text,
  name: text.max(200),
  kind: z.enum(['ed25519', 'passkey']).optional(),
  publicKey: z.string().min(1).max(8_192),
  passkey: z.strictObject({ credential: text, site: text, origins: z.array(text).max(100) }).optional(),
})
const SIGNED = z.strictObject({
  list: z.strictObject({
    version: whole.min(1),
    journal: text,
    before: z.string().length(64).nullable(),
    gates: z.array(LISTED).min(1).max(MAX_GATES),
    approvers: z.array(APPROVER).max(MAX_APPROVERS),
    removedApprovers: z.array(text).max(MAX_APPROVERS),
    at: whole,
    by: text,
  }),
  signature: text,
})

/** Throws unless the value has the shape of a stored version. */
export function parseSignedList(value: unknown): unknown {
  return SIGNED.parse(value)
}
