import { rmSync, writeFileSync } from 'node:fs'
import { readSubscriptions, subscribe } from '@countersign/notify'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { SIZES } from '@countersign/testing/inbox/browser'
import { CALLS, SECRET } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { openPushBrowser, type PushBrowser, verifyVapid } from '@countersign/testing/notify/push-browser'
import { openReceiver, type Receiver } from '@countersign/testing/notify/receiver'
import { until } from '@countersign/testing/until'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { expect, it } from 'vitest'

interface FakePush {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly hangs: boolean
}

/**
 * Stands in for the browser's connection to its vendor's push service, which tests cannot reach: `subscribe` gives the
 * endpoint of the test's own service. Everything else is the browser's.
 */
function fakeSubscriptions({ endpoint, p256dh, auth, hangs }: FakePush): void {
  const world = globalThis as unknown as { applicationServerKey: string | null }
  world.applicationServerKey = null
  const bytes = (text: string): ArrayBuffer =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)).buffer
  const isOn = (): boolean => localStorage.getItem('fake-subscribed') === 'yes'
  const subscription = {
    endpoint,
    getKey: (name: string) => bytes(name === 'auth' ? auth : p256dh),
    async unsubscribe() {
      localStorage.removeItem('fake-subscribed')
      return true
    },
  }
  Object.assign(PushManager.prototype, {
    getSubscription: async () => (isOn() ? subscription : null),
    async subscribe(options: { readonly applicationServerKey: Uint8Array }) {
      if (hangs) return new Promise(() => {})
      world.applicationServerKey = btoa(String.fromCharCode(...options.applicationServerKey))
      localStorage.setItem('fake-subscribed', 'yes')
      return subscription
    },
  })
}

/** Chromium's end: gives the service worker what the push service would have brought. */
async function openDelivery(page: Page, origin: string): Promise<(data: string) => Promise<void>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const registration = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [found] = registrations.filter(({ scopeURL }) => scopeURL.startsWith(origin))
    if (found !== undefined) registration.resolve(found.registrationId)
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registration.promise
  return async (data) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
  }
}

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly silent: boolean
}

/** Push services deliver at least once: a worker that is just starting may miss a message. */
async function deliverUntilShown(
  deliver: (data: string) => Promise<void>,
  message: string,
  context: BrowserContext,
  title: string,
): Promise<void> {
  await until('the notification', async () => {
    await deliver(message)
    return (await shown(context)).some((one) => one.title === title)
  })
}

function shown(context: BrowserContext): Promise<readonly Shown[]> {
  return inWorker(context, async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const list = await registration.getNotifications()
    return list.map(({ title, body, tag, silent }) => ({ title, body, tag, silent: silent === true }))
  })
}

/** Presses the notification; returns the pages that the worker opened. */
function press(context: BrowserContext): Promise<readonly string[]> {
  return inWorker(context, async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      clients: { openWindow(path: string): Promise<unknown> }
      NotificationEvent: new (kind: string, init: { readonly notification: Notification }) => Event
      dispatchEvent(event: Event): boolean
    }
    const opened: string[] = []
    scope.clients.openWindow = async (path) => void opened.push(path)
    const [notification] = await scope.registration.getNotifications()
    if (notification === undefined) throw new Error('no notification is shown')
    let work: Promise<unknown> = Promise.resolve()
    const event = new scope.NotificationEvent('notificationclick', { notification })
    Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => (work = promise) })
    scope.dispatchEvent(event)
    await work
    return opened
  })
}

/** Chromium stops an idle worker whenever it likes, and what is asked of it then gets no answer: another one is asked. */
async function inWorker<T>(context: BrowserContext, work: () => Promise<T>): Promise<T> {
  return (await until('the service worker', () => answerOf(context, work))).value
}

async function answerOf<T>(
  context: BrowserContext,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | undefined> {
  const worker = context.serviceWorkers().at(-1)
  if (worker === undefined) return undefined
  const stopped = new Promise<undefined>((resolve) => worker.once('close', () => resolve(undefined)))
  const silent = new Promise<undefined>((resolve) => void setTimeout(resolve, PATIENCE_MS, undefined))
  const answer = worker.evaluate(work).then(
    (value) => ({ value }),
    () => undefined,
  )
  return Promise.race([answer, stopped, silent])
}

const PATIENCE_MS = 5_000

inboxTests('the settings page', {}, (inbox) => {
  atEachSize((size) => {
    it('fits, reads well in both themes, and shows channels without their secrets', async () => {
      writeFileSync(
        inbox.service.home.notify,
        'version: 1\nchannels: { phone: { kind: ntfy, url: "https://ntfy.sh/a-long-secret-topic", token: tk_hidden } }\n',
        { mode: 0o600 },
      )
      const { p256dh, auth } = openPushBrowser()
      const browser = {
        endpoint: 'https://fcm.googleapis.com/x',
        p256dh,
        auth,
        name: '\u202eevil',
        approver: null,
        at: 1,
      }
      await subscribe(inbox.service.home, browser, [])
      const page = await inbox.page(size, '/settings')
      await page.getByText('phone', { exact: true }).waitFor()
      const text = await page.locator('main').textContent()
      expect(text).toContain('https://ntfy.sh/a-l…')
      expect(text).toContain('⟦U+202E⟧evil')
      expect(text).not.toMatch(/secret-topic|tk_hidden/)
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(width).toBeLessThanOrEqual(0)
      await expectNoViolationsInBothThemes(page, `settings on a ${size}`)
    })
  })

  it('shows what is wrong with the settings file', async () => {
    writeFileSync(inbox.service.home.notify, 'version: 1\nform: high\n', { mode: 0o600 })
    const page = await inbox.page('desktop', '/settings')
    await page.getByText('notify.yaml:2:1: unknown key `form`').waitFor()
  })
})

inboxTests('Web Push', { notices: true }, (inbox) => {
  /** A phone with the inbox, and the push service of its browser. */
  async function phone(hangs = false): Promise<{
    readonly service: Receiver
    readonly browser: PushBrowser
    readonly context: BrowserContext
    readonly page: Page
  }> {
    writeFileSync(inbox.service.home.notify, 'version: 1\nmerge: 1s\npush: { hosts: [localhost] }\n', { mode: 0o600 })
    rmSync(inbox.service.home.subscriptions, { force: true })
    const service = await openReceiver('https')
    service.answer({ status: 201 })
    const browser = openPushBrowser()
    const context = await inbox.browser.newContext({ ...SIZES.phone, permissions: ['notifications'] })
    const { p256dh, auth } = browser
    await context.addInitScript(fakeSubscriptions, { endpoint: `${service.url}/push/1`, p256dh, auth, hangs })
    const page = await context.newPage()
    inbox.listen(page)
    await page.goto(inbox.service.link())
    await page.locator('.link-live').first().waitFor()
    await until('the service worker to be installed', () =>
      page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated'),
    )
    await page.goto(`${inbox.service.url}/settings`)
    return { service, browser, context, page }
  }

  const toggle = (page: Page) => page.getByRole('switch', { name: /^Notify this (?:phone|browser)$/ })

  it('reaches a phone whose page is closed, opens exactly that call, and is taken back', async () => {
    const { service, browser, context, page } = await phone()
    await toggle(page).click()
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true')
    const given = await page.evaluate(
      () => (globalThis as unknown as { applicationServerKey: string }).applicationServerKey,
    )

    await page.getByRole('button', { name: 'Send a test notification' }).click()
    await page.getByText('It should appear within a few seconds.').waitFor()
    expect(JSON.parse(browser.read(service.got[0]?.body ?? Buffer.alloc(0)))).toMatchObject({ kind: 'test' })

    const deliver = await openDelivery(page, inbox.service.url)
    const other = await context.newPage() // keeps the browser's session while the inbox is closed
    await page.goto('about:blank')

    const args = { path: 'src/secret-plan.ts', content: `const token = '${SECRET}' // the-argument\n` }
    const id = await inbox.service.hold({ ...CALLS.write, args, said: 'the-words' })
    await until('the push message', () => service.got.length >= 2)
    const told = service.got[1]
    if (told === undefined) throw new Error('nothing arrived')
    const vapid = verifyVapid(told)
    expect(Buffer.from(vapid.publicKey, 'base64url').toString('base64')).toBe(given)
    expect(vapid.aud).toBe(service.url)
    const message = browser.read(told.body)
    expect(message).not.toMatch(/the-argument|the-words|secret-plan|ghp_/)
    await deliverUntilShown(deliver, message, context, 'MEDIUM write_file')
    expect(await shown(context)).toMatchObject([{ silent: false }])
    expect((await shown(context))[0]?.body).toMatch(/^Agent coder-1 · \d+ (?:s|min) left$/)
    expect(await press(context)).toEqual([`/held/${id}`])

    await deliver(message)
    await deliver(message) // at least once: the same tag replaces it
    await expect.poll(async () => (await shown(context)).length).toBe(1)

    await inbox.service.decide(id, { kind: 'reject', reason: 'no' })
    await until('the receipt', () => service.got.length >= 3)
    const receipt = browser.read(service.got[2]?.body ?? Buffer.alloc(0))
    await deliverUntilShown(deliver, receipt, context, 'write_file: rejected')
    expect(await shown(context)).toMatchObject([{ silent: true }])
    await other.close()
    await context.close()
  })

  it('combines many calls into one message, which opens the list', async () => {
    for (let at = 0; at < 6; at += 1) await inbox.service.hold({ ...CALLS.server, args: { title: `issue ${at}` } })
    const { service, browser, context, page } = await phone()
    await toggle(page).click()
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true')
    const deliver = await openDelivery(page, inbox.service.url)
    const other = await context.newPage() // keeps the browser's session while the inbox is closed
    await page.goto('about:blank')
    await until('the push message', () => service.got.length >= 1)
    const message = browser.read(service.got[0]?.body ?? Buffer.alloc(0))
    expect(JSON.parse(message)).toMatchObject({ title: '6 calls are waiting', call: '' })
    await deliverUntilShown(deliver, message, context, '6 calls are waiting')
    expect(await shown(context)).toHaveLength(1)
    expect(await press(context)).toEqual(['/'])
    await other.close()
    await context.close()
  })

  it('shows something even for a message that it cannot read', async () => {
    const { context, page } = await phone()
    const deliver = await openDelivery(page, inbox.service.url)
    await deliverUntilShown(deliver, 'not json', context, 'Countersign')
    expect(await shown(context)).toMatchObject([{ body: 'Calls may be waiting.' }])
    await deliver(JSON.stringify({ kind: 'held', tag: 1, title: { x: 1 } }))
    await expect.poll(() => shown(context)).toHaveLength(1)
    await context.close()
  })

  it('is turned off here, from another browser, and by signing out', async () => {
    const { context, page } = await phone()
    const count = () => readSubscriptions(inbox.service.home).length
    await toggle(page).click()
    await expect.poll(count).toBe(1)
    await toggle(page).click()
    await expect.poll(count).toBe(0)
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false')

    await toggle(page).click()
    await page.getByRole('button', { name: /^Remove / }).click()
    await expect.poll(count).toBe(0)
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('false')

    await toggle(page).click()
    await expect.poll(count).toBe(1)
    await expect.poll(() => toggle(page).getAttribute('aria-checked')).toBe('true')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to' }).fill('sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(count).toBe(0)
    await context.close()
  })

  it('says so if the browser’s push service does not answer', async () => {
    const { context, page } = await phone(true)
    await page.clock.install()
    await toggle(page).click()
    await page.getByText('Waiting for the browser…').waitFor()
    await page.clock.fastForward(30_000)
    await page.getByText('The browser’s push service did not answer').waitFor()
    expect(await toggle(page).getAttribute('aria-checked')).toBe('false')
    expect(readSubscriptions(inbox.service.home)).toEqual([])
    await context.close()
  })
})
