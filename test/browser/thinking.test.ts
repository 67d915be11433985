import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { armed } from '@countersign/testing/browser/card'
import { EACH_SIZE } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import { expect, it } from 'vitest'

const THINKING = ['The tests pass.', 'Push the branch, <b>then</b> tell the team.', 'x'.repeat(3_000)]

inboxTests('the agent’s thinking', {}, (inbox) => {
  it.each(EACH_SIZE)('is folded, opens as text, and need not be read to decide (%s)', async (size) => {
    const args = { command: `npm install thinking-${size}` }
    const id = await inbox.service.hold({ ...CALLS.command, args, reasoning: THINKING })
    const page = await inbox.page(size, `/held/${id}`)
    await armed(page)
    const words = page.getByText('Push the branch, <b>then</b> tell the team.')
    expect(await words.isVisible()).toBe(false)
    await page.getByText(/^The agent’s thinking \(3,\d{3} characters, unverified\)$/).click()
    await words.waitFor()
    await expectNoViolationsInBothThemes(page, 'the open thinking')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await inbox.service.decide(id, { kind: 'reject', reason: 'no' })
    await page.goto(`${inbox.service.url}/history?call=${encodeURIComponent(id)}`)
    await page.getByText('agent thought').waitFor()
    await page.close()
  })
})
