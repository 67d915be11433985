import { RULES_ACTS, SUPERVISIONS } from '@countersign/core'
import { z } from '@hono/zod-openapi'

/** The data of rules that people set. */

const json = z.record(z.string(), z.unknown())
const hash = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().min(1)

const change = {
  act: z.enum(RULES_ACTS),
  seq: count.openapi({ description: 'The number of the change: 1, 2, …' }),
  previous: hash.nullable(),
  content: hash.openapi({ description: 'SHA-256 of the rules.' }),
  what: z.string().max(4_000),
  call: z.string().max(128).nullable().openapi({ description: 'The call it was made from.' }),
  undoes: count.nullable(),
  nonce: z.string().max(256),
}

export const RuleList = z
  .object({
    paused: z.string().nullable().openapi({ description: 'Why every call is held; null if nothing is paused.' }),
    rules: z.array(json).openapi({ description: 'As in a policy file.' }),
    changes: z.array(
      z.object({
        seq: count,
        act: z.string(),
        what: z.string(),
        call: z.string().nullable(),
        undoes: z.number().nullable(),
        approver: z.string(),
        by: z.string().nullable().openapi({ description: 'The approver’s name; null if the key was removed.' }),
        surface: z.string(),
        at: z.number(),
      }),
    ),
  })
  .openapi('RuleList')

export const ProposeRules = z
  .strictObject({
    edit: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('set'),
        conditions: json.openapi({ description: 'As in a rule of a policy file.' }),
        supervision: z.enum([...SUPERVISIONS, 'default']),
        contain: json.optional().openapi({ description: 'What its commands may also do in the sandbox.' }),
      }),
      z.strictObject({ kind: z.literal('undo'), seq: count.nullable() }),
      z.strictObject({
        kind: z.literal('pause'),
        reason: z.string().max(500).nullable(),
        by: z.string().min(1).max(128).openapi({ description: 'Shown with every held call. The signature counts.' }),
      }),
      z.strictObject({ kind: z.literal('resume') }),
    ]),
    call: z.string().max(128).exactOptional().openapi({ description: 'The call it is made from.' }),
  })
  .openapi('ProposeRules')

const effect = z.object({
  call: z.string(),
  tool: z.string(),
  about: z.string(),
  risk: z.string(),
  before: z.string(),
  after: z.string(),
})

export const RulesProposal = z
  .object({
    change: z.object(change),
    rules: z.string().openapi({ description: 'The rules after the change. These bytes are signed.' }),
    diff: z.array(json),
    act: z
      .object({ loosens: z.boolean(), typed: z.boolean(), passkey: z.boolean() })
      .openapi({ description: 'What it takes: a code and a reason, or a passkey.' }),
    code: z.string(),
    effects: z.object({
      of: z.number(),
      unknown: z.number(),
      changed: z.array(effect),
      from: effect.nullable(),
    }),
    failing: z.array(z.string()).openapi({ description: 'Tests of the policy that pass now and would fail.' }),
    tests: z.number(),
    overruled: z
      .array(z.object({ id: z.string(), layer: z.string(), file: z.string(), supervision: z.string() }))
      .openapi({ description: 'Stricter rules, which win.' }),
  })
  .openapi('RulesProposal')

export const SignedRules = z
  .strictObject({
    rules: z.string().max(262_144),
    signed: z.strictObject({
      ...change,
      code: z.string().max(64).nullable(),
      reason: z.string().max(4_000).nullable(),
      approver: z.string().max(256),
      surface: z.string().max(64),
      at: z.number().int(),
      signature: z.string().max(8_192).openapi({
        description:
          'Over `countersign/rules/v1`, a line feed, and the canonical JSON of the rest: base64 Ed25519, or the JSON of a passkey’s assertion.',
      }),
    }),
  })
  .openapi('SignedRules')

export const Applied = z.object({ change: count }).openapi('AppliedRules')
