import { armed, receipt } from '@countersign/testing/browser/card'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { expect, it } from 'vitest'

const COMMAND = { tool: 'execute_command', args: { command: 'node build.js' }, containable: true } as const

inboxTests('a call that asks to run outside the sandbox', {}, (inbox) => {
  atEachSize((size) => {
    it('shows what was refused, and runs in the sandbox with the exception', async () => {
      const { gate, desk } = inbox.service.opened
      await gate.run(COMMAND, (_, { refused }) => {
        const exception = { use: 'network', name: 'cdn.example' } as const
        refused([{ kind: 'host', what: 'cdn.example', certainty: 'strong', exception }])
        throw new Error('exit code 1')
      })
      let place: unknown = null
      const args = { ...COMMAND.args, outside_sandbox: true }
      const ran = gate.run({ ...COMMAND, id: `outside-${size}`, args, outside: true }, (_, { contain }) => {
        place = contain
      })
      await expect.poll(() => desk.view(`outside-${size}`)).toBeDefined()
      const page = await inbox.page(size, `/held/outside-${size}`)
      await armed(page)
      await expect(page.locator('.cs-cwd').textContent()).resolves.toContain('outside the sandbox')
      await expect(page.getByRole('region', { name: 'Sandbox' }).textContent()).resolves.toBe(
        'When this command last ran, the sandbox!refused a connection to cdn.example',
      )
      await page.getByRole('button', { name: /^Grant/ }).click()
      await page.getByRole('radio', { name: /cdn\.example.*from the sandbox/ }).check()
      await page.getByRole('radio', { name: 'until this session ends' }).check()
      await page.getByRole('button', { name: 'Continue' }).click()
      await armed(page)
      await page.getByRole('button', { name: /^Approve/ }).click()
      await expect(receipt(page).textContent()).resolves.toMatch(/(approved|completed) by/)
      await ran
      expect(place).toMatchObject({ network: ['cdn.example'] })
      for (const { id } of await desk.grants().list()) await desk.grants().revoke(id, 'Ana')
      await page.close()
    })
  })
})
