import { z } from '@hono/zod-openapi'

/** The data of grants. */

const json = z.record(z.string(), z.unknown())

export const GrantScope = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('exact'), grantKey: z.string().max(256) }),
    z.strictObject({
      kind: z.literal('pattern'),
      when: json,
      around: z
        .strictObject({ cwd: z.string(), beside: z.array(z.string()), key: z.string().max(256) })
        .openapi({ description: 'The folder and the other arguments that must match.' })
        .exactOptional(),
      shown: z
        .strictObject({
          operand: z.string().nullable(),
          options: z.array(z.string()),
          elsewhere: z.array(z.string()),
          open: z.string().exactOptional(),
        })
        .openapi({ description: 'The words of the command that must match.' })
        .exactOptional(),
    }),
    z.strictObject({
      kind: z.literal('tool'),
      server: z.string().max(256).nullable(),
      tool: z.string().max(256),
      definition: z.string().max(256),
    }),
    z
      .strictObject({
        kind: z.literal('fields'),
        server: z.string().max(256).nullable(),
        tool: z.string().max(256),
        definition: z.string().max(256),
        fixed: json,
        free: z.array(z.string()),
      })
      .openapi({ description: 'The same arguments, except for the text of the free ones.' }),
    z
      .strictObject({
        kind: z.enum(['file', 'folder']),
        server: z.string().max(256).nullable(),
        tool: z.string().max(256),
        definition: z.string().max(256),
        path: z.string(),
      })
      .openapi({ description: 'One tool on one file, or on everything in one folder.' }),
    z.strictObject({ kind: z.literal('server'), server: z.string().max(256) }),
    z
      .strictObject({
        kind: z.literal('network'),
        host: z.string().max(256),
        port: z.number().int().min(1).max(65_535).exactOptional(),
      })
      .openapi({ description: 'Contact with a host; without a port on 80 and 443.' }),
  ])
  .openapi('GrantScope')

export const GrantBounds = z
  .strictObject({
    write: z.array(z.string()),
    read: z.array(z.string()),
    network: z.array(z.string()),
    credentials: z.array(z.string()),
  })
  .openapi('GrantBounds', { description: 'What a grant adds to the sandbox.' })

export const GrantList = z
  .object({
    grants: z.array(
      z.looseObject({
        id: z.string(),
        scope: GrantScope,
        bounds: GrantBounds.optional(),
        lifetime: json,
        session: z.string().nullable(),
        agent: z.array(z.string()),
        givenBy: z.string(),
        givenAt: z.number(),
        uses: z.number(),
        call: z.string().nullable().openapi({ description: 'The call it was given for.' }),
        from: z.object({ tool: z.string(), summary: z.string(), args: json.nullable() }).nullable().openapi({
          description: 'That call as recorded in the journal, redacted; null if it is no longer there, or too large.',
        }),
      }),
    ),
    now: z.number(),
  })
  .openapi('GrantList')

export const WouldMatchAsked = z.strictObject({ scope: GrantScope }).openapi('WouldMatchAsked')
export const WouldMatch = z
  .object({
    matched: z.number(),
    of: z.number(),
    high: z.number(),
    examples: z.array(z.string()).openapi({ description: 'Up to three of them, redacted.' }),
    nearMiss: z
      .string()
      .nullable()
      .openapi({ description: 'A similar call that it would not have covered; null if there was none.' }),
  })
  .openapi('WouldMatch', { description: 'How many of the checked past calls a grant would have covered.' })
