import { CountersignError, draftEntry, type QuarantineView, type WaitingDefinition } from '@countersign/core'
import type { Home } from '@countersign/node'
import { z } from '@hono/zod-openapi'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { shellWord } from './shell-argument.ts'
import { createSignerChecks } from './signer-checks.ts'

const NOTHING: QuarantineView = { waiting: [], more: 0, left: [], broken: [] }

/** Tools of MCP servers that wait for a person: what changed in each, and a person's signed word that it may be called. */
export function addQuarantineRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { home, main, quarantine, signIn, now } = parts
  const { store, crypto } = main.ports
  const signer = createSignerChecks(parts)

  defineRoute(
    app,
    {
      method: 'get',
      path: '/quarantine',
      summary: 'MCP tools in quarantine: at most 100, and 4 MiB of definitions',
      answer: Quarantined,
    },
    (c) => {
      const { waiting, more, left, broken } = quarantine?.list() ?? NOTHING
      const shown = waiting.map((tool) => ({ ...tool, command: acceptCommand(tool.label, home) }))
      const others = left.map((one) => ({ ...one, command: acceptCommand(one.label, home) }))
      return c.json({ waiting: shown, more, left: others, broken, now: now() })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/quarantine/accept',
      summary: 'Accept the definition of one tool in quarantine, with a signature',
      body: SignedAcceptance,
      answer: Accepted,
    },
    async (c, { body }) => {
      const signedIn = c.get('signedIn')
      const { label, server, name, hash, approver, at } = body
      try {
        await signer.check(signedIn, { approver, at }, 'open the tool again')
        if (quarantine === undefined)
          throw new CountersignError('CS_STALE', 'this tool is no longer in quarantine; reload the page')
        let by = ''
        await quarantine.accept(body, async (person) => {
          by = person.name
          const tool = { server: label, address: server, tool: name, definition: hash }
          const entry = { kind: 'tool-accepted', call: null, ...tool, key: person.id, by, surface: 'web' }
          await store.commit({ entries: [draftEntry(entry, now(), crypto)], durable: true })
        })
        void signIn.note(signedIn.id, approver)
        return c.json({ by, at })
      } catch (error) {
        await signer.recordForged(error, `accepting \`${label}/${name}\``, signedIn)
        throw error
      }
    },
  )
}

/** What a person runs in a terminal who cannot sign here; null where the label fits in no command. */
function acceptCommand(label: string, home: Home): string | null {
  const words = [shellWord(label), ...(home.chosen === 'given' ? ['--home', shellWord(home.dir)] : [])]
  return words.includes(null) ? null : ['countersign mcp accept', ...words].join(' ')
}

/** The data of tools in quarantine: what is listed, and what a person signs. */

const label = z.string().max(256).openapi({ description: 'The server’s name in policies.' })
const hash = z.string().regex(/^[0-9a-f]{64}$/)

const command = z
  .string()
  .nullable()
  .openapi({ description: 'The command to run in a terminal; null if the label cannot be quoted safely.' })

/** Any JSON is `unknown` to a schema. */
type OnWire<Shape> = Omit<Shape, 'accepted' | 'definition'> & {
  readonly accepted: unknown
  readonly definition: unknown
  readonly command: string | null
}

const Waiting = z.object({
  label,
  server: z.object({ hash, shown: z.string() }).openapi({ description: 'The command or URL behind the label.' }),
  name: z.string(),
  hash: hash.openapi({ description: 'SHA-256 of the canonical JSON of the definition.' }),
  why: z.string(),
  since: z.number(),
  accepted: z.unknown().openapi({ description: 'The definition that a person accepted under this name, or null.' }),
  definition: z.unknown().openapi({ description: 'The definition in quarantine.' }),
  odd: z.array(z.object({ where: z.string(), what: z.string(), count: z.number() })),
  command,
}) satisfies z.ZodType<OnWire<WaitingDefinition>>

const Quarantined = z
  .object({
    waiting: z.array(Waiting),
    more: z.number().openapi({ description: 'Number of further tools that are not in this response.' }),
    left: z
      .array(z.object({ label, count: z.number(), command }))
      .openapi({ description: 'Their servers, and the commands to review them.' }),
    broken: z
      .array(z.object({ label, why: z.string() }))
      .openapi({ description: 'Servers with every tool in quarantine, because their accepted tools cannot be read.' }),
    now: z.number(),
  })
  .openapi('Quarantined') satisfies z.ZodType<Omit<QuarantineView, 'waiting'>>

const SignedAcceptance = z
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

const Accepted = z.object({ by: z.string(), at: z.number() }).openapi('Accepted')
