import { armed, stage } from '@countersign/testing/browser/card'
import { readToEnd } from '@countersign/testing/browser/scroll-card'
import type { Size } from '@countersign/testing/inbox/browser'
import { CALLS, SECRET } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const receipts = (page: Page) => page.locator('.cs-card .cs-receipt')

inboxTests('a batch of similar calls', {}, (inbox) => {
  const issue = (title: string) => ({ ...CALLS.server, args: { ...CALLS.server.args, title } })
  const write = (path: string, content = 'x\n') => ({ ...CALLS.write, args: { path, content } })

  async function hold(titles: readonly string[]): Promise<readonly string[]> {
    const ids: string[] = []
    for (const title of titles) ids.push(await inbox.service.hold(issue(title)))
    return ids
  }

  async function heldOf(ids: readonly string[]): Promise<readonly string[]> {
    const views = await Promise.all(ids.map((id) => inbox.service.opened.desk.view(id)))
    return views.flatMap((view) => (view === undefined ? [] : [view.id]))
  }

  async function open(size: Size, name: RegExp): Promise<Page> {
    const page = await inbox.page(size)
    await page.getByRole('link', { name }).click()
    await page.getByRole('article', { name: 'Similar calls' }).waitFor()
    return page
  }

  atEachSize((size) => {
    it('is approved after all was read, with one signature per call', async () => {
      const ids = await hold(['one', 'two', 'three'].map((word) => `${size} ${word}`))
      const page = await open(size, /3 similar medium-risk calls of tracker\/create_issue/)
      await armed(page)
      const approve = page.getByRole('button', { name: /^Approve 3/ })
      expect(await approve.getAttribute('aria-disabled')).toBe('true')
      await approve.click({ force: true })
      await page.keyboard.press('a')
      await page.getByText('Read to the end first.').waitFor()
      expect([await stage(page), await heldOf(ids)]).toEqual(['choose', ids])

      await page.getByRole('checkbox').last().uncheck()
      await page.getByText('Not included. It stays held.').waitFor()
      await readToEnd(page)
      await page.getByRole('button', { name: /^Approve 2/ }).click()
      await expect.poll(() => receipts(page).count()).toBe(2)
      expect(await heldOf(ids)).toEqual(ids.slice(2))
      for (const id of ids.slice(0, 2)) {
        const past = await inbox.service.opened.desk.past(id)
        expect(past?.decision).toMatchObject({ kind: 'approve', surface: 'web' })
      }
      await page.close()
    })

    it('is rejected with one reason, by keyboard', async () => {
      const ids = await hold(['four', 'five'].map((word) => `${size} ${word}`))
      const page = await open(size, /2 similar medium-risk calls/)
      await armed(page)
      await page.keyboard.press('r')
      await page.keyboard.type('one issue is enough')
      await page.keyboard.press('Enter')
      await expect.poll(() => receipts(page).count()).toBe(2)
      for (const id of ids) {
        const past = await inbox.service.opened.desk.past(id)
        expect(past?.decision).toMatchObject({ kind: 'reject', reason: 'one issue is enough' })
        const entries = await inbox.service.opened.ports.store.entriesOf(id)
        expect(entries.filter(({ line }) => line.includes('"kind":"decided"'))).toHaveLength(1)
      }
      await page.close()
    })

    it('excludes a call with a failed check, and shows each call like its card', async () => {
      for (const path of ['src/a.ts', 'src/b.ts']) await inbox.service.hold(write(path))
      const bad = await inbox.service.hold(write('src/c.ts', `export const token = "${SECRET}"\n`))
      expect((await inbox.service.opened.desk.view(bad))?.findings.map(({ status }) => status)).toContain('fail')
      const page = await open(size, /2 similar medium-risk calls of write_file/)
      expect(await page.getByRole('checkbox').count()).toBe(2)
      await page.locator('.cs-notes').getByText('the check secrets failed').waitFor()
      const item = page.locator('.batch-item').first()
      for (const words of [
        'asked by coder-1',
        'Checks',
        'Why this needs approval',
        'look-at-writes',
        'From the agent (unverified)',
      ])
        await item.getByText(words).first().waitFor()
      expect(await item.locator('.batch-asked').textContent()).toMatch(/time left \d:\d\d left, expires at/)
      await page.locator('.cs-notes a').click()
      await page.getByRole('article', { name: 'Held call' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/held/${bad}`)
      await page.close()
    })
  })

  it('works by keyboard after a checkbox was used, and Escape closes the reason', async () => {
    const ids = await hold(['ticked', 'and left'])
    const page = await open('desktop', /2 similar medium-risk calls/)
    await armed(page)
    await page.getByRole('checkbox').first().click()
    await page.getByRole('button', { name: /^Reject 1/, disabled: false }).waitFor()
    await page.keyboard.press('r')
    await expect.poll(() => stage(page)).toBe('reject')
    await page.keyboard.type('j is a letter here')
    await page.keyboard.press('Escape')
    await expect.poll(() => stage(page)).toBe('choose')
    expect([await page.getByRole('article', { name: 'Similar calls' }).count(), await heldOf(ids)]).toEqual([1, ids])
    await armed(page)
    await page.keyboard.press('a')
    await page.getByRole('alert').getByText('Read to the end first.').waitFor()
    await page.close()
  })

  it('never mixes tools, agents or servers', async () => {
    await inbox.service.hold(CALLS.move)
    await hold(['six'])
    await inbox.service.hold({ ...issue('seven'), agent: { name: 'somebody else' } })
    await inbox.service.hold({ ...issue('eight'), tool: { ...CALLS.server.tool, server: 'another' } })
    const page = await inbox.page('desktop')
    await page.getByText('4 held').first().waitFor()
    expect(await page.locator('.batch-link').count()).toBe(0)
    await hold(['nine'])
    await page.getByRole('link', { name: /2 similar medium-risk calls/ }).waitFor()
    expect(await page.locator('.batch-link').count()).toBe(1)
    await page.close()
  })

  it('hides secrets until revealed, per call', async () => {
    for (const title of ['ten', 'eleven'])
      await inbox.service.hold({ ...CALLS.server, args: { title, header: `Bearer ${SECRET}` } })
    const page = await open('desktop', /2 similar medium-risk calls/)
    const items = page.locator('.batch-item')
    await items.nth(1).getByRole('button', { name: 'Reveal' }).waitFor()
    expect(await page.locator('body').textContent()).not.toContain(SECRET)
    await items.first().getByRole('button', { name: 'Reveal' }).click()
    await items.first().getByText(SECRET).first().waitFor()
    expect(await items.nth(1).textContent()).not.toContain(SECRET)
    await page.close()
  })

  it('decides 25 calls at once with progress, can be stopped, and continues with the rest', async () => {
    const ids = await hold(Array.from({ length: 28 }, (_, at) => `many ${at}`))
    const page = await open('desktop', /28 similar medium-risk calls/)
    await page.getByText('3 more follow in the next batch.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(25)
    const [third, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let count = 0
    await page.route('**/decision', async (route) => {
      count += 1
      if (count === 3) {
        third.resolve()
        await go.promise
      }
      return route.continue()
    })
    await readToEnd(page)
    await page.keyboard.press('a')
    await third.promise
    await page.getByText('Signing 3 of 25').waitFor()
    await page.keyboard.press('a') // a second press does nothing
    await page.getByRole('button', { name: 'Stop' }).click()
    go.resolve()
    await expect.poll(() => receipts(page).count()).toBe(3)
    await page.getByRole('button', { name: /^Approve 22/ }).waitFor()
    expect(await heldOf(ids)).toHaveLength(25)
    await page.getByRole('button', { name: 'Show the next 25' }).click()
    await page.getByRole('button', { name: /^Approve 25/ }).waitFor()
    expect(await receipts(page).count()).toBe(0)
    expect(count).toBe(3)
    await page.close()
  })

  it('shows the result of each call: decided elsewhere, or lost, which stops the batch', async () => {
    const ids = await hold(['first', 'second', 'third'])
    const [one = '', two = '', three = ''] = ids
    const page = await open('desktop', /3 similar medium-risk calls/)
    await readToEnd(page)
    await page.route(`**/held/${two}/decision`, (route) => route.abort())
    await inbox.service.decide(one, { kind: 'reject', reason: 'not this one' })
    await receipts(page).getByText('rejected by Ana').waitFor()
    await page.route('**/stream*', (route) => route.abort()) // keeps the result unknown
    await page.getByRole('button', { name: /^Approve 2/ }).click()
    await expect.poll(() => receipts(page).count()).toBe(2)
    const words = await receipts(page).allTextContents()
    expect(words[0]).toMatch(/rejected by Ana/)
    expect(words[1]).toMatch(/not confirmed/)
    await page.getByRole('button', { name: /^Approve 1/ }).waitFor()
    expect(await heldOf(ids)).toEqual([two, three])
    // After reconnecting, the call is still held and can be decided.
    await page.unroute('**/stream*')
    await page.getByText('Still held. No decision has arrived.').waitFor()
    await page.getByRole('button', { name: /^Approve 2/ }).waitFor()
    expect(await receipts(page).count()).toBe(1)
    await page.unroute(`**/held/${two}/decision`)
    await readToEnd(page)
    await page.getByRole('button', { name: /^Approve 2/ }).click()
    await expect.poll(() => receipts(page).count()).toBe(3)
    expect(await heldOf(ids)).toEqual([])
    expect(inbox.complaints(/ERR_FAILED/)).toEqual([])
    await page.close()
  })
})
