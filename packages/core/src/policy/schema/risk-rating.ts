import * as z from 'zod'
import { named, notEmpty } from '../../knowledge/strict-object.ts'
import * as text from './scalars.ts'

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
  {
    trust: z
      .enum(['hints', 'none'])
      .describe('`hints`: its read-only tools run without approval up to low risk. `none`: withdraws that.'),
  },
  '{ trust: hints }',
)

const environment = named(
  '`context`',
  {
    environment: z.literal('production').describe('Changes are rated as changes of production.'),
    workspaces: text
      .oneOrMore(text.folder)
      .describe('Only in workspaces in these folders. Default: wherever the file applies.')
      .exactOptional(),
  },
  '{ environment: production }',
)

export const context = text.oneOrMore(environment)

export const servers = z
  .record(serverName, server)
  .refine((map) => Object.keys(map).length > 0, { error: '`servers` is empty; name a server or remove it' })
