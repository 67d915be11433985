import { isZone, parseDuration, parseHours, RISK_LEVELS } from '@countersign/core'
import { z } from 'zod'
import { urlProblem } from './channel-url.ts'
import { decodeSecret, SECRET_PREFIX, SIGNING_PREFIX } from './webhook-secrets.ts'

/** What quiet hours can let through. */
export const QUIET_EXCEPTIONS = ['critical', 'reminder'] as const

/** Channels in one file. INVARIANT: L10. */
const MOST_CHANNELS = 20

const duration = (longest: string) =>
  z.string().refine((text) => within(text, longest), `must be a time from 1s to ${longest}, such as 5s or 2m`)

const from = z.enum(RISK_LEVELS).exactOptional()
const isPrivate = z.boolean().exactOptional()

const target = {
  url: z.string().max(2_000),
  /** The host is on a private network, which is refused otherwise. */
  private: isPrivate,
  from,
}

const desktop = z.strictObject({ kind: z.literal('desktop'), from })

const ntfy = z.strictObject({ kind: z.literal('ntfy'), ...target, token: z.string().min(1).max(500).exactOptional() })

const webhook = z.strictObject({
  kind: z.literal('webhook'),
  ...target,
  /** `whsec_…`: signs with HMAC-SHA256. */
  secret: z
    .string()
    .refine((text) => decodeSecret(text, SECRET_PREFIX) !== null, 'must be `whsec_` and 24 to 64 bytes'),
  /** `whsk_…`: signs with Ed25519 as well. */
  signing_key: z
    .string()
    .refine((text) => decodeSecret(text, SIGNING_PREFIX) !== null, 'must be `whsk_` and an Ed25519 key')
    .exactOptional(),
})

const channel = z.discriminatedUnion('kind', [desktop, ntfy, webhook]).superRefine((one, context) => {
  const problem = one.kind === 'desktop' ? null : urlProblem(one.url, one.kind, one.private === true)
  if (problem !== null) context.addIssue({ code: 'custom', path: ['url'], message: problem })
})

/** The names of channels. */
export const CHANNEL_NAME = /^[a-z][a-z0-9-]{0,31}$/

/** The schema of `notify.yaml`. */
export const settingsSchema = z.strictObject({
  version: z.literal(1),
  /** The lowest risk that people are notified of. */
  from: z.enum(RISK_LEVELS).default('none'),
  /** Calls that are held within this time share one message. */
  merge: duration('10m').default('5s'),
  /** How long before the deadline people are reminded. */
  reminder: z.union([z.literal('off'), duration('24h')]).default('1m'),
  /** `summary` adds the redacted line that the history shows. */
  details: z.enum(['none', 'summary']).default('none'),
  quiet: z
    .strictObject({
      hours: z.string().refine((text) => parseHours(text) !== null, 'must be a range such as 22:00-07:00'),
      zone: z.string().refine(isZone, 'must be a time zone such as Europe/Vienna').exactOptional(),
      /** What is still sent. */
      except: z.array(z.enum(QUIET_EXCEPTIONS)).default(['critical']),
    })
    .exactOptional(),
  /** Push services in addition to the known ones. */
  push: z.strictObject({ hosts: z.array(z.string().max(253)).max(20) }).exactOptional(),
  channels: z
    .record(z.string().regex(CHANNEL_NAME, 'must be a name such as `phone` or `ops-2`'), channel)
    .refine((all) => Object.keys(all).length <= MOST_CHANNELS, `at most ${MOST_CHANNELS} channels`)
    .default({}),
})

/** How people are notified of held calls. */
export type Settings = z.output<typeof settingsSchema>

/** The settings of one channel. */
export type ChannelSettings = Settings['channels'][string]

/** The settings where there is no file: nothing is sent. */
export const NO_SETTINGS: Settings = settingsSchema.parse({ version: 1 })

/** Milliseconds of a duration in the settings. */
export function millisecondsOf(text: string): number {
  return parseDuration(text) ?? 0
}

function within(text: string, longest: string): boolean {
  const ms = parseDuration(text)
  return ms !== null && ms >= 1_000 && ms <= millisecondsOf(longest)
}
