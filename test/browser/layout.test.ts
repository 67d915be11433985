import { SIZES, type Size } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import { expect, it } from 'vitest'

const LONG = 'a_very_long_name_that_somebody_gave_'.repeat(4).slice(0, 120)

inboxTests('the layout of the inbox', {}, (inbox) => {
  it.each([
    [640, 400],
    [320, 256],
    [844, 390],
  ])('puts the decision bar at the end of the card in a window of %i × %i', async (width, height) => {
    const page = await inbox.page('desktop', `/held/${await inbox.service.hold(CALLS.write)}`)
    await page.setViewportSize({ width, height })
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    const [body, bar] = await Promise.all([
      page.locator('.cs-body').boundingBox(),
      page.locator('.cs-bar').boundingBox(),
    ])
    expect(bar?.y).toBeGreaterThanOrEqual((body?.y ?? 0) + (body?.height ?? 0) - 1)
    expect(bar?.y).toBeGreaterThan(height)
    await page.locator('.cs-bar').scrollIntoViewIfNeeded()
    const tops = await page
      .locator('.cs-actions button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(10)
    await page.close()
  })

  it('needs no sideways scrolling at 200 % zoom, which is a window of half the size', async () => {
    const id = await inbox.service.hold(CALLS.write)
    const page = await inbox.page('desktop', `/held/${id}`)
    await page.setViewportSize({ width: 640, height: 400 })
    for (const path of [`/held/${id}`, '/', '/history', '/grants', '/tools', '/journal']) {
      await page.goto(`${inbox.service.url}${path}`)
      await page.locator('h1, h2, .cs-card').first().waitFor()
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(wide, path).toBeLessThanOrEqual(0)
    }
    await page.close()
  })

  it.each(Object.keys(SIZES) as Size[])(
    'shows a long agent name in full and the beginning of a long tool name (%s)',
    async (size) => {
      const call = { ...CALLS.server, tool: { name: LONG, server: 'tracker' }, agent: { name: LONG } }
      const ids = [await inbox.service.hold(call), await inbox.service.hold({ ...call, args: { title: 'two' } })]
      const page = await inbox.page(size)
      const row = page.locator('.row').first()
      await row.waitFor()
      const isShown = await row.evaluate((one) => {
        const line = one.querySelector('.row-effect')?.getBoundingClientRect()
        const [name] = one.querySelector('.row-effect .cs-name')?.getClientRects() ?? []
        return line !== undefined && name !== undefined && name.bottom <= line.bottom + 2
      })
      expect(isShown).toBe(true)
      const rights = await page
        .locator('.batch-link, .row, .row-left')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
      expect(Math.max(...rights)).toBeLessThanOrEqual(SIZES[size].viewport.width)
      for (const [width, height] of [
        [SIZES[size].viewport.width, SIZES[size].viewport.height],
        [844, 390],
      ] as const) {
        await page.setViewportSize({ width, height })
        await page.goto(`${inbox.service.url}/held/${ids[0]}`)
        await page.locator('.cs-bar[data-armed=true]').waitFor()
        const cut = await page
          .locator('.cs-card, .cs-asked')
          .evaluateAll((all) =>
            all
              .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
              .map((one) => one.className),
          )
        const right = await page.locator('.cs-asked').evaluate((one) => one.getBoundingClientRect().right)
        expect([cut, right <= width]).toEqual([[], true])
      }
      await page.close()
    },
  )

  it('gives the link of a batch enough room on a phone', async () => {
    const call = { ...CALLS.server, tool: { name: LONG, server: 'tracker' } }
    for (let at = 0; at < 12; at++) await inbox.service.hold({ ...call, args: { title: `number ${at}` } })
    const page = await inbox.page('phone')
    const link = page.locator('.batch-link')
    await link.waitFor()
    const [text, frame] = await link.evaluate((one) => {
      const range = document.createRange()
      range.selectNodeContents(one)
      const [words, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()]
      return [words.bottom, box.bottom] as const
    })
    expect(frame - text).toBeGreaterThanOrEqual(6)
    await page.close()
  })

  it('keeps a row under the pointer in place when a more urgent call arrives, and announces it', async () => {
    const issue = (title: string, timeoutMs = 240_000) => ({ ...CALLS.server, args: { title }, timeoutMs })
    for (const title of ['one', 'two', 'three']) await inbox.service.hold(issue(title))
    const page = await inbox.page('desktop')
    const row = page.locator('.row').nth(1)
    await row.hover()
    const [before, place] = [await row.getAttribute('href'), await row.boundingBox()]
    await inbox.service.hold(issue('sooner', 60_000))
    await page
      .locator('.rows-fresh')
      .getByText(/1 new call, .*0:[3-5]\d left · Show/)
      .waitFor()
    expect([await row.getAttribute('href'), await row.boundingBox()]).toEqual([before, place])
    await page.getByRole('link', { name: 'Countersign' }).or(page.locator('.brand')).hover()
    await page.locator('.row').first().getByText('sooner').waitFor()
    await page.locator('.row').first().focus()
    await inbox.service.hold(issue('soonest', 30_000))
    await page.locator('.rows-fresh').getByText('1 new call').waitFor()
    await page.locator('.rows-fresh').click()
    await page.locator('.row').first().getByText('soonest').waitFor()
    await page.close()
  })

  it('adds no link above the rows while the pointer is on one', async () => {
    const named = (name: string, title: string) => ({
      ...CALLS.server,
      tool: { name, server: 'tracker' },
      args: { title },
    })
    for (const name of ['add_label', 'add_note', 'add_link']) await inbox.service.hold(named(name, 'first'))
    const page = await inbox.page('desktop')
    const row = page.locator('.row').nth(1)
    await row.hover()
    const place = await row.boundingBox()
    await inbox.service.hold(named('add_note', 'second'))
    await page.locator('.rows-fresh').getByText('1 new call').waitFor()
    expect([await page.locator('.batch-link').count(), await row.boundingBox()]).toEqual([0, place])
    await page.locator('.brand').hover()
    await page.locator('.batch-link').getByText('2 similar medium-risk calls of tracker/add_note').waitFor()
    // An existing link stays and is updated.
    await row.hover()
    const below = await row.boundingBox()
    await inbox.service.hold(named('add_note', 'third'))
    await page.locator('.batch-link').getByText('3 similar medium-risk calls').waitFor()
    expect(await row.boundingBox()).toEqual(below)
    await page.close()
  })

  it('shows shared context of a batch once, and the arguments in each heading', async () => {
    const said = 'All three are of the ticket.'
    for (const title of ['one', 'two', 'three']) await inbox.service.hold({ ...CALLS.server, said, args: { title } })
    const page = await inbox.page('desktop')
    await page.locator('.batch-link').click()
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    const counts = () =>
      Promise.all(
        ['Why this needs approval', said].map((text) =>
          page.locator('.batch-item').getByText(text, { exact: true }).count(),
        ),
      )
    await expect.poll(counts).toEqual([1, 1])
    expect(await page.locator('.batch-item .cs-choice').allTextContents()).toEqual(
      ['one', 'two', 'three'].map((title) => expect.stringContaining(`title: ${title}`)),
    )
    await page
      .getByText('Same as above: the reasons, the publisher’s description, the agent’s message.')
      .first()
      .waitFor()
    // When the first call is excluded, the next one shows it.
    await page.getByRole('checkbox').first().uncheck()
    await expect.poll(counts).toEqual([1, 1])
    await page.close()
  })
})
