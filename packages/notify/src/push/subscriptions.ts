import { hash } from 'node:crypto'
import { join } from 'node:path'
import { asCountersignError, CountersignError } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, withFileLock } from '@countersign/node'
import { z } from 'zod'
import { isPushService } from './push-services.ts'

/** Browsers that can be subscribed. INVARIANT: L10. */
const MOST_SUBSCRIPTIONS = 50
const MAX_BYTES = 256 * 1024
const PATIENCE_MS = 2_000

const bytes = (length: number) =>
  z.string().refine((text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === length)

/** A browser that gets Web Push, as it is kept in `subscriptions.json`. */
const subscriptionSchema = z.strictObject({
  /** The start of the hash of its endpoint. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  endpoint: z.string().max(2_000),
  p256dh: bytes(65),
  auth: bytes(16),
  /** What the person sees in the list: browser and system. */
  name: z.string().max(64),
  /** Whose key the browser worked with; removing the key ends the subscription. Null before the first signature. */
  approver: z.string().max(128).nullable(),
  at: z.number(),
})

export type Subscription = z.output<typeof subscriptionSchema>

/** What a browser provides when a person turns push on. */
export type NewSubscription = Omit<Subscription, 'id'>

/** The subscribed browsers. Throws CS_NOTIFY if the file is damaged. */
export function readSubscriptions(home: Home): readonly Subscription[] {
  const text = readOwnFile(home.subscriptions, MAX_BYTES, 'CS_NOTIFY')
  if (text === undefined) return []
  try {
    return z.array(subscriptionSchema).max(MOST_SUBSCRIPTIONS).parse(JSON.parse(text))
  } catch (cause) {
    throw new CountersignError(
      'CS_NOTIFY',
      `\`${home.subscriptions}\` is damaged; remove it, and turn notifications on again in each browser`,
      { cause },
    )
  }
}

/** Subscribes a browser, or renews it. SECURITY: only known push services, and those that a person added, are contacted. */
export async function subscribe(home: Home, asked: NewSubscription, added: readonly string[]): Promise<Subscription> {
  const url = URL.parse(asked.endpoint)
  if (url === null || !isPushService(url, added))
    throw new CountersignError(
      'CS_NOTIFY',
      `the push service \`${url?.hostname ?? 'of this browser'}\` is not known; add it with \`countersign notify add push-service <host>\``,
    )
  const checked = subscriptionSchema.safeParse({ ...asked, id: hash('sha256', url.href, 'hex').slice(0, 16) })
  if (!checked.success)
    throw new CountersignError('CS_NOTIFY', 'the browser gave an invalid subscription; turn notifications off and on')
  const one = { ...checked.data, endpoint: url.href }
  await changeSubscriptions(home, (all) => {
    const others = all.filter(({ id }) => id !== one.id)
    if (others.length >= MOST_SUBSCRIPTIONS)
      throw new CountersignError('CS_NOTIFY', `${MOST_SUBSCRIPTIONS} browsers are subscribed; remove one first`)
    return [...others, one]
  })
  return one
}

/** Ends a subscription; false if there is none. */
export async function unsubscribe(home: Home, id: string): Promise<boolean> {
  let isFound = false
  await changeSubscriptions(home, (all) => {
    isFound = all.some((one) => one.id === id)
    return all.filter((one) => one.id !== id)
  })
  return isFound
}

/** Ends the subscriptions of a removed key. Returns how many. */
export async function unsubscribeApprover(home: Home, approver: string): Promise<number> {
  let count = 0
  if (readSubscriptions(home).length === 0) return count
  await changeSubscriptions(home, (all) => {
    const left = all.filter((one) => one.approver !== approver)
    count = all.length - left.length
    return left
  })
  return count
}

async function changeSubscriptions(
  home: Home,
  change: (all: readonly Subscription[]) => readonly Subscription[],
): Promise<void> {
  openOwnFolder(home.run, 'CS_NOTIFY')
  await withFileLock(join(home.run, 'subscriptions.lock'), PATIENCE_MS, 'CS_NOTIFY', async () => {
    const next = change(readSubscriptions(home))
    try {
      replaceOwnFile(home.subscriptions, `${JSON.stringify(next)}\n`)
    } catch (error) {
      throw asCountersignError(error, 'CS_NOTIFY', `cannot write \`${home.subscriptions}\`; check its folder`)
    }
  })
}
