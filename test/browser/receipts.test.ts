import { armed } from '@countersign/testing/browser/card'
import { SIZES, type Size } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { inboxTests } from '@countersign/testing/inbox/suite'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

const receipt = (page: Page) => page.locator('.pane-receipt .cs-receipt')

inboxTests('receipts in the inbox', {}, (inbox) => {
  it.each(Object.keys(SIZES) as Size[])('show the edited call everywhere (%s)', async (size) => {
    const command = { ...CALLS.command, args: { command: `npm install left-pad-${size}` } }
    const id = await inbox.service.hold(command)
    const page = await inbox.page(size, `/held/${id}`)
    await armed(page)
    await page.getByRole('button', { name: /^Edit/ }).click()
    await page.getByLabel(/^command/).fill(`npm install right-pad-${size}`)
    await page.getByRole('button', { name: 'Use these arguments' }).click()
    await armed(page)
    await page.getByRole('button', { name: /Approve the edited call/ }).click()
    await expect
      .poll(() => receipt(page).textContent())
      .toMatch(new RegExp(`edited: Runs .?npm install right-pad-${size}.*requested: Runs .?npm install left-pad`))
    expect(await page.locator('.receipt-effect').first().textContent()).toContain(`right-pad-${size}`)
    await page.goto(`${inbox.service.url}/history`)
    await expect
      .poll(() => page.locator('.past-what').first().textContent())
      .toMatch(new RegExp(`edited: Runs .?npm install right-pad-${size}`))
    await page.close()
  })

  it.each(Object.keys(SIZES) as Size[])('ask whether the question was worth it, for Charts (%s)', async (size) => {
    const id = await inbox.service.hold({ ...CALLS.command, args: { command: `npm install worth-${size}` } })
    const page = await inbox.page(size, `/held/${id}`)
    await armed(page)
    expect(await page.getByRole('button', { name: 'Not worth asking' }).count()).toBe(0)
    await inbox.service.decide(id, { kind: 'reject', reason: 'no' })
    await page.getByRole('button', { name: 'Not worth asking' }).click()
    await page.getByText('Recorded. No rule changed').waitFor()
    expect(await page.getByRole('button', { name: 'Not worth asking' }).getAttribute('aria-pressed')).toBe('true')
    await page.goto(`${inbox.service.url}/charts`)
    await page.getByRole('region', { name: 'Worth asking' }).locator('tbody tr').first().waitFor()
    await page.close()
  })

  it('name the approver for the approval, not for the outcome', async () => {
    const { gate } = inbox.service.opened
    const call = {
      tool: 'fetch_weather',
      source: 'custom',
      requiresConfirmation: true,
      args: { city: 'Linz' },
    } as const
    const ticket = await gate.submit(call)
    const page = await inbox.page('desktop', `/held/${ticket.callId}`)
    await armed(page)
    await inbox.service.decide(ticket.callId, { kind: 'approve' })
    await expect.poll(() => receipt(page).textContent()).toContain('approved by Ana at')
    const permit = await gate.wait(ticket)
    if (permit.kind === 'refusal') return expect.unreachable()
    await gate.settle(permit, 'failed')
    await expect.poll(() => receipt(page).textContent()).toContain('approved by Ana, then failed at')
    expect(await page.locator('.receipt-row').first().textContent()).toMatch(/failed.*approved by Ana, /)
    await page.close()
  })

  it('include the arguments of their calls', async () => {
    const label = (issue: number) => ({
      ...CALLS.server,
      tool: { name: 'add_label', server: 'tracker', description: 'Adds a label.' },
      args: { issue, label: 'q4' },
    })
    const ids = [await inbox.service.hold(label(11)), await inbox.service.hold(label(12))]
    const page = await inbox.page('desktop', `/held/${ids[0]}`)
    await armed(page)
    for (const id of ids) await inbox.service.decide(id, { kind: 'reject' })
    await expect.poll(() => receipt(page).textContent()).toContain('issue: 11')
    await expect
      .poll(async () =>
        (await page.locator('.receipt-effect').allTextContents()).map((text) => /issue: \d+/.exec(text)?.[0]),
      )
      .toEqual(['issue: 12', 'issue: 11'])
    await page.close()
  })
})
