import type { QuarantineView, WaitingDefinition } from '@countersign/core'
import { z } from '@hono/zod-openapi'

/** The data of tools in quarantine: what is listed, and what a person signs. */

const label = z.string().max(256).openapi({ description: 'What policies call the server.' })
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const command = z.string().nullable().openapi({ description: 'For a terminal; null where the label fits in none.' })

/** Any JSON is `unknown` to a schema. */
type OnWire<Shape> = Omit<Shape, 'accepted' | 'definition'> & {
  readonly accepted: unknown
  readonly definition: unknown
  readonly command: string | null
}

const Waiting = z.object({
  label,
  server: z.object({ hash, shown: z.string() }).openapi({ description: 'The command or address behind the label.' }),
  name: z.string(),
  hash: hash.openapi({ description: 'SHA-256 of the canonical JSON of the definition.' }),
  why: z.string(),
  since: z.number(),
  accepted: z
    .unknown()
    .openapi({ description: 'The definition that a person accepted under this name; null without.' }),
  definition: z.unknown().openapi({ description: 'The one that waits.' }),
  odd: z.array(z.object({ where: z.string(), what: z.string(), count: z.number() })),
  command,
}) satisfies z.ZodType<OnWire<WaitingDefinition>>

export const Quarantined = z
  .object({
    waiting: z.array(Waiting),
    more: z.number().openapi({ description: 'How many more wait than are in this answer.' }),
    left: z
      .array(z.object({ label, count: z.number(), command }))
      .openapi({ description: 'Whose they are, and how to look at them.' }),
    broken: z
      .array(z.object({ label, why: z.string() }))
      .openapi({ description: 'Servers of which every tool is in quarantine: what was accepted cannot be read.' }),
    now: z.number(),
  })
  .openapi('Quarantined') satisfies z.ZodType<Omit<QuarantineView, 'waiting'>>

export const SignedAcceptance = z
  .strictObject({
    label,
    server: hash.openapi({ description: 'The hash of the server.' }),
    name: z.string().max(256),
    hash: hash.openapi({ description: 'The hash of the definition that was shown.' }),
    approver: z.string().max(256).openapi({ description: 'Id of the enrolled key; a passkey cannot sign for a tool.' }),
    at: z.number().int(),
    signature: z.string().max(256).openapi({
      description: 'base64 Ed25519 over `countersign/mcp-accept/v1`, a line feed, and the canonical JSON of the rest.',
    }),
  })
  .openapi('SignedAcceptance')

export const Accepted = z.object({ by: z.string(), at: z.number() }).openapi('Accepted')
