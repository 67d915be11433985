import { z } from '@hono/zod-openapi'
import { GrantBounds, GrantScope } from './grant-schemas.ts'

/** The data of the HTTP API, defined once: requests are checked by it, and the OpenAPI document is made from it. */

const json = z.record(z.string(), z.unknown())

export const Problem = z
  .object({ error: z.object({ code: z.string().openapi({ example: 'CS_SIGN_IN' }), message: z.string() }) })
  .openapi('Problem')

export const HeldCall = z
  .looseObject({
    id: z.string(),
    request: z.string().openapi({ description: 'Canonical JSON of everything that a decision signs.' }),
    requestDigest: z.string().openapi({ description: 'SHA-256 of `countersign/request/v1\\0` and the request.' }),
    preview: json,
    risk: json,
    verdict: json,
    findings: z.array(json),
    effect: z.string(),
    said: z.string().nullable(),
    reasoning: z.string().optional().openapi({ description: 'The agent’s thinking before the call, redacted.' }),
    offers: z.array(json),
    refused: z.array(json).optional().openapi({
      description:
        'What the sandbox refused when the same command last ran in it; only if the call asks to run outside.',
    }),
    openedAt: z.number(),
  })
  .openapi('HeldCall', { description: 'A held call, the same on every surface.' })

export const HeldSummary = z
  .object({
    id: z.string(),
    requestDigest: z.string(),
    effect: z.string(),
    risk: z.object({ level: z.string() }),
    supervision: z.string(),
    tool: z.string(),
    agent: z.array(z.string()).openapi({ description: 'Outermost first.' }),
    cwd: z.string(),
    rule: z.object({ id: z.string(), layer: z.string(), file: z.string(), line: z.number() }),
    openedAt: z.number(),
    expiresAt: z.number(),
    passkey: z.boolean(),
    batch: z.object({ key: z.string(), alone: z.string().nullable() }).nullable().openapi({
      description:
        'Calls with the same key can be decided together, each with its own signature, unless `alone` gives a reason why not.',
    }),
    bytes: z.number().openapi({ description: 'Size of the full call as JSON.' }),
    view: z.null(),
  })
  .openapi('HeldSummary', {
    description: 'Summary of a held call that is too large for a list: load it by its id before deciding.',
  })

export const Held = z.object({ held: z.array(z.union([HeldCall, HeldSummary])), now: z.number() }).openapi('Held')

export const ToolDefinition = z
  .object({
    definition: z.unknown().openapi({
      description: 'As the agent submitted it; its hash is in the request. Null if there is none, or above 64 KiB.',
    }),
  })
  .openapi('ToolDefinition')

export const SignedDecision = z
  .strictObject({
    held: z.string(),
    requestDigest: z.string(),
    nonce: z.string(),
    decision: z.strictObject({
      kind: z.enum(['approve', 'reject']),
      reason: z.string().optional(),
      edited: json.optional(),
      grant: z.strictObject({ scope: GrantScope, lifetime: json, bounds: GrantBounds.optional() }).optional(),
      code: z.string().optional(),
    }),
    approver: z.string().openapi({ description: 'Id of the enrolled key.' }),
    surface: z.string(),
    at: z.number().int(),
    signature: z.string().openapi({ description: 'base64 Ed25519, or the JSON of a passkey’s assertion.' }),
  })
  .openapi('SignedDecision')

export const Receipt = z
  .object({
    held: z.string(),
    accepted: z.boolean(),
    state: z.string().openapi({ example: 'approved' }),
    by: z.string().nullable(),
    at: z.number(),
    message: z.string(),
    instead: z.string().optional().openapi({ description: 'The edited call that runs instead.' }),
  })
  .openapi('Receipt')

const time = z.coerce.number().int().nonnegative()

export const Explain = z
  .strictObject({
    call: z.looseObject({
      tool: z.union([z.string().max(256), z.looseObject({ name: z.string().max(256) })]),
      args: json,
    }),
    workspace: z
      .string()
      .max(4_096)
      .optional()
      .openapi({ description: 'The project folder whose policy applies too.' }),
  })
  .openapi('Explain')
export const Explained = z.object({ explanation: json }).openapi('Explained')

export const Agents = z
  .object({
    agents: z.array(
      z.object({
        host: z.string(),
        title: z.string(),
        state: z
          .enum(['proven', 'failed', 'updated', 'never tried', 'contract only'])
          .openapi({ description: '`updated`: the program changed since it was tested.' }),
        version: z.string().nullable().openapi({ description: 'The version that was tested.' }),
        at: z.number().nullable().openapi({ description: 'When it was tested: Unix time in milliseconds.' }),
        words: z.string(),
        runsAnyway: z.array(z.string()).openapi({ description: 'Failures after which the agent still runs the tool.' }),
      }),
    ),
  })
  .openapi('Agents')

export const Tools = z
  .object({
    tools: z.array(
      z.looseObject({
        tool: z.string(),
        server: z.string().nullable(),
        definition: z.string(),
        otherDefinitions: z.array(z.string()),
        kind: z.string(),
        calls: z.number(),
        approved: z.number(),
        rejected: z.number(),
        expired: z.number(),
        lastAt: z.number(),
        lastCall: z.string().nullable(),
        heldCall: z
          .string()
          .nullable()
          .openapi({ description: 'Its held call with the strictest supervision, which has the definition.' }),
        supervision: z.string().openapi({ description: 'The supervision of its last call, after any grant.' }),
        strictest: z.string().openapi({ description: 'The strictest supervision of its recent calls.' }),
        grant: z.string().nullable(),
        risk: z.string(),
        change: z.string().openapi({ description: 'A line for the policy file; insert the supervision you want.' }),
        command: z
          .string()
          .nullable()
          .openapi({ description: 'A shell command that makes the change; null if the name cannot be quoted safely.' }),
      }),
    ),
    policyFile: z.string(),
  })
  .openapi('Tools')

export const FeedbackBody = z.strictObject({ answer: z.enum(['worth-asking', 'not-worth-asking']) }).openapi('Feedback')

export const StatsQuery = z.strictObject({ since: time.optional() })
export const Stats = z
  .object({
    hours: z.array(
      z.object({
        at: z.number(),
        approved: z.number(),
        rejected: z.number(),
        expired: z.number(),
        automatic: z.number(),
      }),
    ),
    times: z.array(z.number()).openapi({ description: 'Milliseconds until the decision.' }),
    tools: z.array(
      z.object({
        tool: z.string(),
        held: z.number(),
        approved: z.number(),
        rejected: z.number(),
        expired: z.number(),
        medianMs: z.number().nullable(),
      }),
    ),
    rules: z
      .array(z.object({ rule: z.string(), worth: z.number(), notWorth: z.number() }))
      .openapi({ description: 'How often the questions of each rule were worth asking, by the people who decided.' }),
  })
  .openapi('Stats')

export const SignInTicket = z.strictObject({ ticket: z.string().max(128) }).openapi('SignInTicket')

export const Approver = z
  .looseObject({ id: z.string(), name: z.string(), kind: z.enum(['ed25519', 'passkey']), publicKey: z.string() })
  .openapi('Approver')

export const Me = z
  .object({
    name: z.string().nullable(),
    approver: z.string().nullable(),
    approvers: z.array(Approver),
    tier: z.string(),
    version: z.string(),
    publicUrl: z.string().nullable(),
    preset: z.string(),
    policyProblems: z.array(z.string()),
    passkey: z.object({ site: z.string() }),
    expiresAt: z.number(),
    now: z.number(),
  })
  .openapi('Me')

const name = z.string().trim().min(1).max(200)
const code = z
  .string()
  .max(64)
  .openapi({ description: 'The code that `countersign approvers add` shows in a terminal.' })

export const Enrol = z.strictObject({ name, publicKey: z.string().max(64), code }).openapi('Enrol')
export const Enrolled = z.object({ approver: Approver }).openapi('Enrolled')

export const PasskeyOptions = json.openapi('PasskeyOptions', {
  description: 'PublicKeyCredentialCreationOptions, as JSON.',
})
export const EnrolPasskey = z.strictObject({ name, code, response: json }).openapi('EnrolPasskey')

export const CallId = z.object({
  id: z
    .string()
    .max(128)
    .openapi({ param: { name: 'id', in: 'path' } }),
})
export const StreamQuery = z.strictObject({
  session: z.string().max(128).optional().openapi({ description: 'Only calls of this agent session.' }),
  last: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional()
    .openapi({ description: 'Like `Last-Event-ID`, which takes precedence.' }),
})
export const Done = z.object({ done: z.literal(true) }).openapi('Done')
