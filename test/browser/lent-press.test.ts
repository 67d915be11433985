import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { approve, ariaDisabled, movePointer, receipt, stage } from '@countersign/testing/browser/card'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const isArmed = (page: Page) => page.locator('.cs-bar[data-armed=true]').waitFor()
const note = (page: Page) => page.getByText('Move the pointer, then press again.')

inboxTests('a press that another page lends to the inbox', {}, (inbox) => {
  const other = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html')
    answer.end(`<a href="${target}" rel="noreferrer">double-click here</a>`)
  })
  let target = ''
  let site = ''
  beforeAll(async () => {
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    site = `http://localhost:${(other.address() as AddressInfo).port}/`
  })
  afterAll(() => void other.close())

  const heldCount = async () => (await inbox.service.opened.desk.list()).length

  /** Opens a call with the mouse already at rest where its Approve button will be. */
  async function openUnderMouse(): Promise<{ readonly page: Page; readonly x: number; readonly y: number }> {
    const id = await inbox.service.hold(CALLS.write)
    const page = await inbox.page('desktop', `/held/${id}`)
    await isArmed(page)
    const box = await approve(page).boundingBox()
    if (box === null) throw new Error('no button')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.goto('about:blank')
    await page.mouse.move(x, y)
    await page.goto(`${inbox.service.url}/held/${id}`)
    await isArmed(page)
    return { page, x, y }
  }

  it('approves nothing while the mouse has not moved inside the page', async () => {
    const { page, x, y } = await openUnderMouse()
    await page.mouse.down()
    await page.mouse.up()
    await note(page).waitFor()
    expect([await stage(page), await heldCount()]).toEqual(['choose', 1])
    await page.mouse.move(x - 40, y, { steps: 4 })
    await note(page).waitFor({ state: 'detached' })
    await page.mouse.move(x, y, { steps: 4 })
    await isArmed(page)
    await page.mouse.down()
    await page.mouse.up()
    await receipt(page).waitFor()
    await page.close()
  })

  it('approves by key without a mouse', async () => {
    const { page } = await openUnderMouse()
    await page.keyboard.press('a')
    await receipt(page).waitFor()
    await page.close()
  })

  it('approves by touch', async () => {
    const id = await inbox.service.hold(CALLS.write)
    const page = await inbox.page('phone', '/')
    await page.goto(`${inbox.service.url}/held/${id}`)
    await isArmed(page)
    await approve(page).tap()
    await receipt(page).waitFor()
    await page.close()
  })

  it.each(['focus', 'pageshow', 'pointerenter'])(
    'is not armed right after %s, and needs the mouse again',
    async (kind) => {
      const id = await inbox.service.hold(CALLS.write)
      const page = await inbox.page('desktop', `/held/${id}`)
      await isArmed(page)
      await approve(page).hover()
      await isArmed(page)
      // The page comes back and is pressed in one task, as in a double click whose first press closed the page on top.
      const bar = await page.evaluate((event) => {
        if (event === 'pointerenter')
          document.documentElement.dispatchEvent(new PointerEvent(event, { pointerType: 'mouse' }))
        else dispatchEvent(new Event(event))
        return new Promise((drawn) =>
          setTimeout(() => drawn(document.querySelector('.cs-bar')?.getAttribute('data-armed'))),
        )
      }, kind)
      expect(bar).toBe('false')
      await isArmed(page)
      await page.mouse.down()
      await page.mouse.up()
      await note(page).waitFor()
      expect(await heldCount()).toBe(1)
      await movePointer(page)
      await page.close()
    },
  )

  it('is ignored while a key is held down from before', async () => {
    const id = await inbox.service.hold(CALLS.write)
    const page = await inbox.page('desktop', `/held/${id}`)
    await isArmed(page)
    await page.keyboard.down('a').catch(() => undefined)
    await receipt(page).waitFor()
    const next = await inbox.service.hold(CALLS.write)
    await page.evaluate((path) => history.pushState(null, '', path), `/held/${next}`)
    for (let repeat = 0; repeat < 30; repeat += 1) await page.keyboard.down('a')
    await page.keyboard.up('a')
    expect(await heldCount()).toBe(1)
    await page.close()
  })

  it('opens the list for a link on another site, and the call only after another press', async () => {
    const id = await inbox.service.hold(CALLS.write)
    target = `${inbox.service.url}/held/${id}`
    const page = await inbox.page('desktop')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    for (const isControlled of [false, true]) {
      await page.goto(site)
      await page.getByText('double-click here').click()
      await page.getByText('You followed a link from another site.').waitFor()
      expect(await approve(page).count()).toBe(0)
      if (isControlled) expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    }
    await page.getByRole('link', { name: 'Open the call' }).click()
    await isArmed(page)
    expect(new URL(page.url()).pathname).toBe(`/held/${id}`)
    await page.goto(target)
    await expect.poll(() => ariaDisabled(approve(page))).toBe('false')
    await page.close()
  })
})
