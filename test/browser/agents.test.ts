import { loadCanary, writeHostSetup } from '@countersign/hosts'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { EACH_SIZE } from '@countersign/testing/inbox/browser'
import { inboxTests } from '@countersign/testing/inbox/suite'
import { expect, it } from 'vitest'

const { keepProof } = await loadCanary()

inboxTests('coding agents', {}, (inbox) => {
  it.each(EACH_SIZE)('are listed with what is proven of each (%s)', async (size) => {
    const { home } = inbox.service
    for (const host of ['codex', 'cursor'] as const)
      writeHostSetup(home, host, { tokenHash: '0', within: [], asking: 'desk' })
    const results = [{ probe: 'hook slow', fate: 'ran', runs: 1, detail: null } as const]
    keepProof(home, 'codex', { version: '0.169.0', at: 0, program: '/nowhere/codex', fileMark: '', results })
    const page = await inbox.page(size, '/tools')
    await page.getByRole('heading', { name: 'Coding agents' }).waitFor()
    await page.getByText('Codex: updated since it was tested (0.169.0)').waitFor()
    await page.getByText('the hook is too slow: RAN ANYWAY').waitFor()
    await page.getByText('Cursor: can’t be tested').waitFor()
    await expectNoViolationsInBothThemes(page, 'coding agents')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })
})
