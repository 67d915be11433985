import { service } from '../api/service.ts'

/** Where this browser keeps that it is notified by Web Push; its own notifications are then not shown as well. */
const KEY = 'countersign-push'

/** `subscribe()` never settles in browsers without a reachable push service. */
const PATIENCE_MS = 20_000

/** Whether this browser can be notified while the inbox is closed. */
export type PushSupport =
  | { readonly kind: 'possible' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'impossible'; readonly why: string }

/** What this browser supports, and what the person permitted. */
export function pushSupport(): PushSupport {
  const isApple =
    /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.platform) && navigator.maxTouchPoints > 1)
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return {
      kind: 'impossible',
      why: isApple
        ? 'On iPhone and iPad, first add the inbox to the home screen (Share, then Add to Home Screen), and open it there.'
        : 'This browser does not support Web Push.',
    }
  return Notification.permission === 'denied' ? { kind: 'blocked' } : { kind: 'possible' }
}

/** The id of this browser's subscription; null if it has none. */
export async function ownSubscription(): Promise<string | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const found = await registration?.pushManager?.getSubscription()
  return found === null || found === undefined ? null : idOf(found.endpoint)
}

/** Subscribes this browser. Throws, in words for the person, if the browser or the service refuses. */
export async function subscribeBrowser(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('The browser did not permit notifications.')
  const registration = await within(
    navigator.serviceWorker.ready,
    'The inbox is not installed in this browser yet; reload the page.',
  )
  const { publicKey } = await service.pushKey()
  const key = bytesOf(publicKey)
  await (await registration.pushManager.getSubscription())?.unsubscribe() // it may belong to another key
  const subscription = await within(
    registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
    'The browser’s push service did not answer. Check the network, and whether this browser may use push.',
  )
  try {
    const { endpoint } = subscription
    const [p256dh, auth] = [subscription.getKey('p256dh'), subscription.getKey('auth')].map(base64url)
    if (p256dh === undefined || auth === undefined) throw new Error('The browser gave no keys.')
    notePush(true) // before the service knows it, so that signing out in between also ends it
    await service.subscribePush({ endpoint, p256dh, auth, name: browserName() })
  } catch (error) {
    notePush(false)
    await subscription.unsubscribe().catch(() => false)
    throw error
  }
}

/** Ends this browser's subscription, here and in the service. */
export async function unsubscribeBrowser(): Promise<void> {
  notePush(false)
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  if (subscription === null || subscription === undefined) return
  await service.unsubscribePush(await idOf(subscription.endpoint))
  await subscription.unsubscribe()
}

/** Keeps whether this browser is notified by push: then the page itself stays silent. */
export function notePush(on: boolean): void {
  if (on) localStorage.setItem(KEY, 'yes')
  else localStorage.removeItem(KEY)
}

/** Whether this browser was subscribed here. */
export function isPushOn(): boolean {
  return localStorage.getItem(KEY) === 'yes'
}

/** As the service counts it: the start of the hash of the endpoint. */
async function idOf(endpoint: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(hash).subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function within<T>(work: Promise<T>, message: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(new Error(message)), PATIENCE_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (character) => character.codePointAt(0) ?? 0)
}

function base64url(buffer: ArrayBuffer | null): string | undefined {
  if (buffer === null) return undefined
  const text = btoa(String.fromCodePoint(...new Uint8Array(buffer)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** `Chrome on Android`, for the list of browsers. */
export function browserName(agent: string = navigator.userAgent): string {
  const browser = NAMES.find(([pattern]) => pattern.test(agent))?.[1] ?? 'Browser'
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1]
  return system === undefined ? browser : `${browser} on ${system}`
}

const NAMES = [
  [/Edg/, 'Edge'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS|Chromium/, 'Chrome'],
  [/Safari/, 'Safari'],
] as const

const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Mac/, 'macOS'],
  [/Windows/, 'Windows'],
  [/Linux/, 'Linux'],
] as const
