import * as z from 'zod'
import { named, notEmpty } from './strict-object.ts'

/** The keys that steer how calls are rated. */

const bound = (what: string) =>
  z
    .number({ error: `expected ${what}` })
    .min(0)
    .max(1_000_000_000)

export const thresholds = named(
  '`thresholds`',
  {
    records: bound('a number of records such as 100')
      .int()
      .describe('More records than this at once raise the risk. Default 100.')
      .exactOptional(),
    amount: bound('an amount in dollars such as 1000')
      .describe('More money than this, in dollars or about as much, raises the risk. Default 1000.')
      .exactOptional(),
  },
  '{ records: 100, amount: 1000 }',
).check(notEmpty('`thresholds` is empty; write records or amount'))

const serverName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\s*?[\]{}/]+$/, { error: 'a server is named exactly, without wildcards or slashes' })

const server = named(
  'a server',
  { trusted: z.boolean().describe('Believe it when it says that a tool nobody described only reads.') },
  '{ trusted: true }',
)

export const servers = z
  .record(serverName, server)
  .refine((map) => Object.keys(map).length > 0, { error: '`servers` is empty; name a server or remove it' })
