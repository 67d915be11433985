import { expectNoViolations, expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { approve, armed, receipt, visit } from '@countersign/testing/browser/card'
import { readToEnd } from '@countersign/testing/browser/scroll-card'
import { answered, EACH_SIZE, SIZES, type Size } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import { expect, it } from 'vitest'

/** Colours do not depend on the size: outside the full run, the dark theme is checked on desktop only. */
function axeAt(size: Size): typeof expectNoViolations {
  return size === 'desktop' || process.env['COUNTERSIGN_FULL'] !== undefined
    ? expectNoViolationsInBothThemes
    : expectNoViolations
}

inboxTests('the pages of the inbox', {}, (inbox) => {
  it.each(EACH_SIZE)('pass axe in both themes (%s)', async (size) => {
    const { service } = inbox
    const check = axeAt(size)
    const page = await inbox.page(size)
    const look = async (what: string, path: string): Promise<void> => {
      await visit(page, path)
      if (path.startsWith('/held')) await armed(page)
      else await page.locator('h1:visible, h2:visible').first().waitFor()
      await check(page, what)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect({ what, wide: wide <= 0 }).toEqual({ what, wide: true })
    }
    for (const call of [...Object.values(CALLS), CALLS.server]) await service.hold(call)
    await look('the list', '/')
    // The rows were checked with the list: each card is checked beside one row, which takes axe half the time.
    for (const [name, call] of Object.entries(CALLS)) {
      await service.clear()
      await look(name, `/held/${await service.hold(call)}`)
    }
    await service.clear()
    await look('the journal', '/journal') // records.test.ts checks the other pages
    await page.goto(`${service.url}/held/${await service.hold(CALLS.server)}`)
    for (const [button, form] of [
      ['Grant…', 'Approve and stop asking'],
      [/^Edit/, 'Edit arguments'],
      [/^Reject/, 'Reject'],
    ] as const) {
      await armed(page)
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('form', { name: form }).waitFor()
      await check(page, form)
      await page.getByRole('button', { name: 'Cancel' }).click()
    }
    await page.close()
  })

  it.each(EACH_SIZE)('pass axe in dialogs, batches, receipts and sign-in (%s)', async (size) => {
    const check = axeAt(size)
    const agent = { name: `planner on a ${size}` }
    for (const title of ['one', 'two', 'three']) await inbox.service.hold({ ...CALLS.server, agent, args: { title } })
    const page = await inbox.page(size)
    await page
      .getByRole('link', { name: /3 similar medium-risk calls/ })
      .last()
      .click()
    await armed(page)
    await check(page, 'a batch')
    await page.getByRole('button', { name: /^Reject/ }).click()
    await page.getByRole('form', { name: 'Reject' }).waitFor()
    await check(page, 'rejecting a batch')

    for (const [call, stage] of [
      ['query', 'manual'],
      ['deploy', 'again'],
    ] as const) {
      await inbox.service.clear()
      await page.goto(`${inbox.service.url}/held/${await inbox.service.hold({ ...CALLS[call], agent })}`)
      await readToEnd(page)
      await armed(page)
      await approve(page).click()
      await page.locator(`.cs-bar[data-stage=${stage}]`).waitFor()
      await check(page, stage)
    }

    const over = await inbox.service.hold({ ...CALLS.move, agent })
    await page.goto(`${inbox.service.url}/held/${over}`)
    await armed(page)
    await inbox.service.decide(over, { kind: 'reject', reason: 'keep it' })
    await receipt(page).waitFor()
    await check(page, 'a receipt')

    for (const [word, name] of [
      ['shortcuts', 'Keyboard shortcuts'],
      ['passkey', 'Add a passkey for this device'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Go to' }).fill(word)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name }).waitFor()
      await check(page, name)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name }).waitFor({ state: 'hidden' })
    }
    await page.close()

    const context = await inbox.browser.newContext(SIZES[size])
    const stranger = await context.newPage()
    inbox.listen(stranger)
    await stranger.goto(inbox.service.url)
    await stranger.getByText('You are not signed in.').waitFor()
    await check(stranger, 'signing in')
    expect(inbox.complaints(answered(401))).toEqual([])
    const looker = await context.newPage()
    inbox.listen(looker)
    await looker.goto(inbox.service.link())
    await looker.getByText('This browser can view calls but not decide.').waitFor()
    await check(looker, 'enrolling')
    await context.close()
  })

  it('have touch targets of at least 48 pixels on a phone', async () => {
    for (const title of ['one', 'two']) await inbox.service.hold({ ...CALLS.server, args: { title } })
    const id = await inbox.service.hold(CALLS.server)
    const page = await inbox.page('phone', `/held/${id}`)
    await armed(page)
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('.cs-bar button, .back, summary, .batch-link')]
        .map((element) => ({ text: element.textContent, height: element.getBoundingClientRect().height }))
        .filter(({ height }) => height > 0 && height < 48),
    )
    expect(small).toEqual([])
    await page.close()
  })
})
