import { z } from '@hono/zod-openapi'

/** The data of what is on record: calls of the past and the journal. */

const json = z.record(z.string(), z.unknown())
const time = z.coerce.number().int().nonnegative()

export const HistoryQuery = z.strictObject({
  call: z.string().max(128).optional().openapi({ description: 'This one call, whatever the rest says.' }),
  tool: z.string().max(256).optional(),
  outcome: z.string().max(32).optional(),
  agent: z.string().max(1_024).optional().openapi({ description: 'As `agent` of a past call names it.' }),
  risk: z.string().max(16).optional(),
  approver: z.string().max(128).optional().openapi({ description: 'Id of the key that decided.' }),
  session: z.string().max(128).optional(),
  since: time.optional().openapi({ description: 'Milliseconds of the wall clock.' }),
  before: z.string().max(128).optional().openapi({ description: 'The id of the last call of the page before.' }),
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
    more: z.int().openapi({ description: 'How many entries lie between the first and the last ones told here.' }),
  })
  .openapi('PastDetails')

export const SaidNow = z
  .object({
    now: z
      .object({ supervision: z.string(), rule: json, grant: z.string().nullable(), risk: z.string() })
      .nullable()
      .openapi({
        description: 'With what checks raise. Null where it cannot be told: the journal has the call only in part.',
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
  whole: z.enum(['true', 'false']).optional().openapi({ description: 'Every entry, not only what came since.' }),
})
export const Verified = z
  .object({
    size: z.number(),
    root: z.string().nullable(),
    signedTo: z.number(),
    keptTo: z.number(),
    damage: z.array(z.object({ kind: z.string(), message: z.string() })),
    at: z.number(),
    wholeAt: z.number().openapi({ description: 'When every entry was last read.' }),
  })
  .openapi('Verified')
export const JournalPage = z
  .object({
    entries: z.array(Entry),
    size: z.number(),
    archived: z.number(),
    verified: Verified.nullable().openapi({ description: 'What the last verification said; null before the first.' }),
  })
  .openapi('JournalPage')
