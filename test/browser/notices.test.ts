import { armed } from '@countersign/testing/browser/card'
import { SIZES } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'

interface Shown {
  readonly title: string
  readonly body: string
}

/** Records desktop notifications, and lets a test hide the page. */
function watchNotifications(): void {
  const world = globalThis as unknown as { isHidden: boolean; shown: Shown[]; showing: Promise<void>[] }
  world.isHidden = false
  world.shown = []
  world.showing = []
  Object.defineProperty(document, 'visibilityState', { get: () => (world.isHidden ? 'hidden' : 'visible') })
  const { showNotification } = ServiceWorkerRegistration.prototype
  ServiceWorkerRegistration.prototype.showNotification = function show(title, options) {
    world.shown.push({ title, body: options?.body ?? '' })
    const showing = showNotification.call(this, title, options)
    world.showing.push(showing)
    return showing
  }
}

/** The recorded notifications, once all are shown. */
function shown(page: Page): Promise<readonly Shown[]> {
  return page.evaluate(async () => {
    const world = globalThis as unknown as { shown: Shown[]; showing: Promise<void>[] }
    await Promise.all(world.showing)
    return world.shown
  })
}

function hide(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.assign(globalThis, { isHidden: true })
  })
}

/** Simulates a click on the notification inside the service worker. */
async function clickNotification(context: BrowserContext): Promise<readonly string[]> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return worker.evaluate(async () => {
    const scope = globalThis as unknown as ServiceWorkerGlobalScope
    const done: string[] = []
    let work: Promise<unknown> = Promise.resolve()
    scope.WindowClient.prototype.focus = function focus() {
      done.push(`focus ${new URL(this.url).pathname}`)
      return Promise.resolve(this)
    }
    const [notification] = await scope.registration.getNotifications()
    if (notification === undefined) throw new Error('no notification is shown')
    const event = new scope.NotificationEvent('notificationclick', { notification })
    Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => (work = promise) })
    scope.dispatchEvent(event)
    await work
    return done
  })
}

/** The members used here: TypeScript's worker and DOM libraries conflict. */
interface ServiceWorkerGlobalScope {
  readonly registration: ServiceWorkerRegistration
  readonly WindowClient: { prototype: { readonly url: string; focus(this: { url: string }): Promise<unknown> } }
  readonly NotificationEvent: new (kind: string, init: { readonly notification: Notification }) => Event
  dispatchEvent(event: Event): boolean
}

inboxTests('desktop notifications', { notices: true }, (inbox) => {
  /** A separate inbox with notifications turned on. */
  async function notified(): Promise<{ readonly context: BrowserContext; readonly page: Page }> {
    const context = await inbox.browser.newContext({ ...SIZES.desktop, permissions: ['notifications'] })
    await context.addInitScript(watchNotifications)
    const page = await context.newPage()
    inbox.listen(page)
    await page.goto(inbox.service.link())
    await page.locator('.link-live').waitFor()
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.getByRole('link', { name: 'Settings' }).click()
    const only = page.getByRole('switch', { name: 'Notify only while the inbox is open' })
    await only.click()
    await expect.poll(() => only.getAttribute('aria-checked')).toBe('true')
    await page.getByRole('link', { name: 'Inbox' }).click()
    return { context, page }
  }

  it('show risk and tool but no arguments, only while the page is hidden, and open the call on click', async () => {
    const { context, page } = await notified()

    await inbox.service.hold(CALLS.move)
    await page.getByText('1 held').first().waitFor()
    expect(await shown(page)).toEqual([])

    await hide(page)
    const secret = { path: 'src/secret-plan.ts', content: 'the-argument\n' }
    const id = await inbox.service.hold({ ...CALLS.write, args: secret, said: 'the-words' })
    await expect.poll(() => shown(page)).toHaveLength(1)
    const [told] = await shown(page)
    expect(told?.title).toBe('MEDIUM write_file')
    expect(told?.body).toMatch(/^Agent coder-1 · \d:\d\d left$/)
    expect(await clickNotification(context)).toEqual(['focus /']) // the page then navigates itself
    await page.waitForURL(`**/held/${id}`)
    await context.close()
  })

  it('combine many calls into one that replaces the previous', async () => {
    const { context, page } = await notified()
    await hide(page)
    for (let at = 0; at < 30; at += 1)
      await inbox.service.hold({ ...CALLS.server, args: { title: `the-argument ${at}` } })
    await page.getByText('30 held').first().waitFor()
    await expect.poll(async () => (await shown(page)).at(-1)?.title).toBe('30 held calls')
    const told = await shown(page)
    expect(told.length).toBeLessThan(5)
    expect(told.at(-1)?.body).toMatch(/^Highest risk: MEDIUM · first expires in \d:\d\d$/)
    const standing = page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready
      return (await registration.getNotifications()).length
    })
    expect(await standing).toBe(1)
    expect(await clickNotification(context)).toEqual(['focus /'])
    await context.close()
  })

  it('keep typed text when clicked', async () => {
    const id = await inbox.service.hold(CALLS.server)
    const page = await inbox.page('desktop', `/held/${id}`)
    const context = page.context()
    await context.grantPermissions(['notifications'], { origin: inbox.service.url })
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}))
    await armed(page)
    await page.keyboard.press('e')
    await page.getByLabel(/^title/).fill('kept in mind')
    const other = await inbox.service.hold({ ...CALLS.write, args: { path: 'src/noticed.ts', content: 'x\n' } })
    await worker.evaluate(async (data) => {
      const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
      await registration.showNotification('a call', { data })
      const [notification] = await registration.getNotifications()
      const Clicked = Reflect.get(globalThis, 'NotificationEvent') as new (name: string, of: object) => Event
      dispatchEvent(new Clicked('notificationclick', { notification }))
    }, other)
    await page.waitForURL(`**/held/${other}`)
    await page.locator(`a[href="/held/${id}"]`).click()
    await page.getByText('Your unfinished edit is not included.').waitFor()
    await page.close()
  })
})
