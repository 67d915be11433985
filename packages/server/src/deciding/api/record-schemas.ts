import { z } from '@hono/zod-openapi'

/** The data of what is on record: calls of the past and the journal. */

const json = z.record(z.string(), z.unknown())
const time = z.coerce.number().int().nonnegative()

export const HistoryQuery = z.strictObject({
  call: z.string().max(128).optional().openapi({ description: 'Only this call; other filters are ignored.' }),
  tool: z.string().max(256).optional(),
  outcome: z.string().max(32).optional(),
  agent: z.string().max(1_024).optional().openapi({ description: 'The `agent` of a past call.' }),
  risk: z.string().max(16).optional(),
  approver: z.string().max(128).optional().openapi({ description: 'Id of the key that decided.' }),
  session: z.string().max(128).optional(),
  since: time.optional().openapi({ description: 'Unix time in milliseconds.' }),
  before: z.string().max(128).optional().openapi({ description: 'Id of the last call on the previous page.' }),
  limit: z.coerce.number().int().min(1).max(1_000).optional(),
})

export const PastCall = z
  .looseObject({
    id: z.string(),
    tool: z.string(),
    agent: z.string(),
    risk: z.string(),
    supervision: z.string(),
    rule: z.string(),
    summary: z.string(),
    openedAt: z.number(),
    outcome: z.string().nullable(),
    decision: json.nullable(),
    disagrees: z
      .array(z.string())
      .openapi({ description: 'Columns that do not match the journal: the store was edited.' })
      .exactOptional(),
  })
  .openapi('PastCall')

export const History = z.object({ calls: z.array(PastCall) }).openapi('History')

const Entry = z
  .looseObject({ seq: z.number(), at: z.number(), kind: z.string(), call: z.string().nullable() })
  .openapi('JournalEntry')

export const PastDetails = z
  .object({
    call: PastCall,
    entries: z.array(Entry),
    more: z.int().openapi({ description: 'Number of entries left out between the first and the last ones.' }),
  })
  .openapi('PastDetails')

export const SaidNow = z
  .object({
    now: z
      .object({ supervision: z.string(), rule: json, grant: z.string().nullable(), risk: z.string() })
      .nullable()
      .openapi({
        description:
          'Includes checks. Null if it cannot be determined, because the journal records the call only partly.',
      }),
  })
  .openapi('SaidNow')

const names = z.array(z.string())
export const Seen = z
  .object({ tools: names, agents: names, approvers: names.openapi({ description: 'Ids of keys.' }) })
  .openapi('Seen')

export const JournalQuery = z.strictObject({
  from: time.optional(),
  to: time.optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
})
export const VerifyQuery = z.strictObject({
  whole: z.enum(['true', 'false']).optional().openapi({ description: 'Verify every entry, not only new ones.' }),
})
export const Verified = z
  .object({
    size: z.number(),
    root: z.string().nullable(),
    signedTo: z.number(),
    keptTo: z.number(),
    damage: z.array(z.object({ kind: z.string(), message: z.string() })),
    at: z.number(),
    wholeAt: z.number().openapi({ description: 'When every entry was last verified.' }),
  })
  .openapi('Verified')
export const JournalPage = z
  .object({
    entries: z.array(Entry),
    size: z.number(),
    archived: z.number(),
    verified: Verified.nullable().openapi({
      description: 'The result of the last verification; null before the first.',
    }),
  })
  .openapi('JournalPage')
