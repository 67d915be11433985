import * as z from 'zod'
import { named, notEmpty } from '../../knowledge/strict-object.ts'

/** Settings of the risk rating. */

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
      .describe('More records than this raise the risk. Default 100.')
      .exactOptional(),
    amount: bound('an amount in dollars such as 1000')
      .describe('More money than this, in dollars or converted, raises the risk. Default 1000.')
      .exactOptional(),
  },
  '{ records: 100, amount: 1000 }',
).check(notEmpty('`thresholds` is empty; write records or amount'))

const serverName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\s*?[\]{}/]+$/, { error: 'a server needs its exact name, without wildcards or slashes' })

const server = named(
  'a server',
  { trusted: z.boolean().describe('Believe its read-only hint for tools without a description.') },
  '{ trusted: true }',
)

export const servers = z
  .record(serverName, server)
  .refine((map) => Object.keys(map).length > 0, { error: '`servers` is empty; name a server or remove it' })
