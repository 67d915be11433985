import { approve, armed, receipt, stage } from '@countersign/testing/browser/card'
import { readToEnd } from '@countersign/testing/browser/scroll-card'
import { answered } from '@countersign/testing/inbox/browser'
import { CALLS } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { until } from '@countersign/testing/until'
import { expect, it } from 'vitest'

inboxTests('deciding in the inbox', {}, (inbox) => {
  async function outcome(id: string): Promise<unknown> {
    const { desk } = inbox.service.opened
    const isOver = async () => {
      const past = await desk.past(id)
      return past?.state === 'closed' ? past : undefined
    }
    return (await until(`the end of ${id}`, isOver)).outcome
  }

  atEachSize((size) => {
    it('approves with one press at medium risk and shows a receipt', async () => {
      const id = await inbox.service.hold(CALLS.write)
      const page = await inbox.page(size)
      await page
        .getByRole('link', { name: /Writes 14 lines/ })
        .first()
        .click()
      await armed(page)
      await approve(page).click()
      await expect(receipt(page).textContent()).resolves.toMatch(/(approved|completed) by (Ana|Bea)/)
      expect(await outcome(id)).toBe('completed')
      await page.close()
    })

    it('rejects with a recorded reason', async () => {
      const id = await inbox.service.hold(CALLS.remove)
      const page = await inbox.page(size, `/held/${id}`)
      await armed(page)
      await page.getByRole('button', { name: /^Reject/ }).click()
      await page.getByLabel(/Reason/).fill('keep the old logs')
      await page.getByRole('button', { name: 'Reject', exact: true }).click()
      await expect(receipt(page).textContent()).resolves.toMatch(/rejected by/)
      expect(await outcome(id)).toBe('rejected')
      const past = await inbox.service.opened.desk.past(id)
      expect(past?.decision).toMatchObject({ kind: 'reject', surface: 'web', reason: 'keep the old logs' })
      await page.close()
    })

    it('takes two presses at high risk', async () => {
      const id = await inbox.service.hold(CALLS.deploy)
      const page = await inbox.page(size, `/held/${id}`)
      await readToEnd(page)
      await armed(page)
      await approve(page).click()
      await expect.poll(() => stage(page)).toBe('again')
      await armed(page)
      expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
      await approve(page).click()
      await expect(receipt(page).textContent()).resolves.toMatch(/(approved|completed) by/)
      await page.close()
    })

    it('does not move the buttons when the end was read', async () => {
      const id = await inbox.service.hold(CALLS.query)
      const page = await inbox.page(size, `/held/${id}`)
      const bar = page.locator('.cs-bar')
      await bar.getByText('Read to the end first.').waitFor()
      /** The edges of each button. */
      const edges = () =>
        bar.getByRole('button').evaluateAll((all) =>
          all.flatMap((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect()
            return [left, right, top, bottom]
          }),
        )
      const before = await edges()
      expect(before.length).toBeGreaterThan(4)
      await readToEnd(page)
      await bar.getByText('You have read to the end.').waitFor()
      const moved = (await edges()).map((edge, at) => Math.abs(edge - (before[at] ?? Number.NaN)))
      expect(moved).toHaveLength(before.length)
      expect(Math.max(...moved)).toBeLessThan(4) // not noticeable
      await page.close()
    })

    it('asks for the code beside the field and a reason under manual supervision', async () => {
      const id = await inbox.service.hold(CALLS.query)
      const page = await inbox.page(size, `/held/${id}`)
      await readToEnd(page)
      await armed(page)
      await approve(page).click()
      const form = page.getByRole('form', { name: 'Manual approval' })
      const code = (await page.locator('.cs-the-code').textContent()) ?? ''
      await form.getByLabel(`Type ${code}`).fill('zzzz')
      await form.getByLabel('Reason').fill('agreed with sales')
      await form.getByText('Wrong code.').waitFor()
      expect(await form.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
      await form.getByLabel(`Type ${code}`).fill(code)
      await form.getByRole('button', { name: 'Approve' }).click()
      await expect(receipt(page).textContent()).resolves.toMatch(/(approved|completed) by/)
      await page.close()
    })

    it('edits arguments by the tool’s schema, shows the changes and runs the edited call', async () => {
      const { gate } = inbox.service.opened
      const asked = gate.ask(CALLS.server)
      const page = await inbox.page(size)
      await page
        .getByRole('link', { name: /create_issue/ })
        .first()
        .click()
      await armed(page)
      await page.getByRole('button', { name: /^Edit/ }).click()
      await page.getByLabel(/^title/).fill('VAT by country and region')
      await page.getByText('1 is the most urgent.').waitFor()
      await page.getByLabel(/^priority/).fill('three')
      await page.getByText('priority: must be a number').waitFor()
      await page.getByLabel(/^priority/).fill('9')
      await page.getByText('above the schema’s maximum of 5').waitFor()
      await page.getByLabel(/^priority/).fill('3')
      await page.getByRole('button', { name: 'Add kind' }).click()
      await page.getByText('kind: choose a value').waitFor()
      await page.getByLabel(/^kind/).selectOption('feature')
      await page.getByRole('button', { name: 'Remove item 2' }).click()
      await page.getByRole('button', { name: 'Add item' }).click()
      await page.getByLabel('labels 2').fill('vat')
      await page.getByRole('button', { name: 'Add assignee' }).click()
      await page.getByLabel(/^name/).fill('Ana')
      await page.getByRole('button', { name: /Edit as JSON/ }).click()
      await page.getByLabel('All arguments').waitFor()
      await page.getByRole('button', { name: 'Edit as form' }).click()
      await page.getByRole('button', { name: 'Use these arguments' }).click()
      const change = page.getByRole('region', { name: 'Your changes' })
      for (const words of ['VAT by country and region', 'kind added', '"vat"', '"Ana"'])
        await change.getByText(words).first().waitFor()
      await armed(page)
      await page.getByRole('button', { name: /Approve the edited call/ }).click()
      await receipt(page).waitFor()
      const permit = await asked
      expect(permit.kind === 'permit' ? permit.args : permit).toMatchObject({
        title: 'VAT by country and region',
        priority: 3,
        draft: false,
        kind: 'feature',
        labels: ['billing', 'vat'],
        assignee: { name: 'Ana' },
      })
      if (permit.kind === 'permit') await gate.settle(permit, 'completed')
      await page.close()
    })

    it('evaluates an edited call again and holds it if it is riskier', async () => {
      const id = await inbox.service.hold({ ...CALLS.write, args: { path: `src/${size}.ts`, content: 'x\n' } })
      const page = await inbox.page(size, `/held/${id}`)
      await armed(page)
      await page.getByRole('button', { name: /^Edit/ }).click()
      await page.getByText('The tool has no schema').waitFor()
      await page.getByLabel(/^path/).fill('/etc/hosts')
      await page.getByRole('button', { name: 'Use these arguments' }).click()
      await armed(page)
      await page.getByRole('button', { name: /Approve the edited call/ }).click()
      await page.locator('.cs-card').getByText('/etc/hosts').first().waitFor()
      await expect.poll(() => stage(page)).toBe('choose')
      await expect.poll(async () => (await inbox.service.opened.desk.view(id))?.risk.level).toMatch(/high|critical/)
      await page.close()
    })

    it('gives a grant after showing its exact scope, then lists and revokes it', async () => {
      const call = { ...CALLS.server, args: { ...CALLS.server.args, title: `Grant ${size}` } }
      const id = await inbox.service.hold(call)
      const page = await inbox.page(size, `/held/${id}`)
      await armed(page)
      await page.getByRole('button', { name: 'Grant…' }).click()
      expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
      await page.getByLabel(/with exactly these arguments/).check()
      await page.getByText(/Would have covered \d+ of your last \d+ calls/).waitFor()
      await page.getByLabel('for 10 minutes').check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText(/You grant:/).waitFor()
      expect(await page.locator('.cs-again').textContent()).not.toContain('`')
      await armed(page)
      await page.getByRole('button', { name: /Approve and grant/ }).click()
      await receipt(page).waitFor()
      await page.goto(`${inbox.service.url}/grants`)
      await page.getByText(/9:\d\d left/).waitFor()
      await page.getByRole('button', { name: 'Revoke' }).first().click()
      await page.getByText('No active grants.').waitFor()
      await page.close()
    })
  })

  it('works by keyboard alone: J, A, J, R', async () => {
    const first = await inbox.service.hold({ ...CALLS.write, args: { path: 'src/a.ts', content: 'a\n' } })
    const second = await inbox.service.hold({ ...CALLS.write, args: { path: 'src/b.ts', content: 'b\n' } })
    const page = await inbox.page('desktop')
    await page.getByText('2 held').first().waitFor()
    await page.keyboard.press('j')
    await armed(page)
    await page.keyboard.press('a')
    await receipt(page).waitFor()
    await page.keyboard.press('j')
    await armed(page)
    await page.keyboard.press('r')
    await page.keyboard.type('not now')
    await page.keyboard.press('Enter')
    await expect.poll(() => receipt(page).textContent()).toMatch(/rejected/)
    expect([await outcome(first), await outcome(second)]).toEqual(['completed', 'rejected'])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.close()
  })

  it('ignores a press before the card is armed', async () => {
    const id = await inbox.service.hold(CALLS.move)
    const page = await inbox.page('desktop')
    await page.getByRole('link', { name: /Moves/ }).waitFor()
    // Pressed in the task that renders the card, so that it cannot be armed yet even on a slow machine.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('.cs-bar') === null) return
        observer.disconnect()
        for (let press = 0; press < 5; press += 1)
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true }))
        document.body.dataset['pressed'] = '5'
      }).observe(document.body, { childList: true, subtree: true })
    })
    await page.keyboard.press('j')
    await page.locator('body[data-pressed="5"]').waitFor()
    await armed(page)
    expect((await inbox.service.opened.desk.view(id))?.id).toBe(id)
    // The same press counts once the card is armed.
    await page.evaluate(() => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true }))
    })
    await receipt(page).waitFor()
    expect(await receipt(page).textContent()).toMatch(/(approved|completed) by/)
    await page.close()
  })

  it('shows the same receipt in both tabs when two people decide at once', async () => {
    const id = await inbox.service.hold({ ...CALLS.write, args: { path: 'src/race.ts', content: 'race\n' } })
    const [one, other] = [await inbox.page('desktop', `/held/${id}`), await inbox.page('phone', `/held/${id}`)]
    const first = Promise.withResolvers<void>()
    await other.route('**/decision', (route) => first.promise.then(() => route.continue()))
    await Promise.all([armed(one), armed(other)])
    await approve(other).click() // sent, but delayed until the other tab has decided
    await approve(one).click()
    await receipt(one).waitFor()
    const late = other.waitForResponse('**/decision')
    first.resolve()
    expect((await late).status()).toBe(409)
    const words = await Promise.all([one, other].map((page) => receipt(page).textContent()))
    const [by] = /by (Ana|Bea)/.exec(words[0] ?? '') ?? ['?']
    expect(words.every((text) => text?.includes(by))).toBe(true)
    const decided = (await inbox.service.opened.ports.store.entriesOf(id)).filter(({ line }) =>
      line.includes('"kind":"decided"'),
    )
    expect(decided).toHaveLength(1)
    expect(inbox.complaints(answered(409))).toEqual([]) // the late decision
    await Promise.all([one.close(), other.close()])
  })

  it('turns an open card into a receipt at its deadline', async () => {
    const page = await inbox.page('desktop')
    await page.locator('.link-live').waitFor()
    await inbox.service.hold({ ...CALLS.move, timeoutMs: 8_000 })
    await page.getByRole('link', { name: /Moves/ }).click()
    await approve(page).waitFor()
    await receipt(page).waitFor()
    expect(await receipt(page).textContent()).toMatch(/expired/)
    expect(await approve(page).count()).toBe(0)
    await page.close()
  })
})
