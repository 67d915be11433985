import { fileURLToPath } from 'node:url'
import { makeEnrolmentCode, openGate } from '@countersign/node'
import { startService } from '@countersign/server'
import { approve, armed } from '@countersign/testing/browser/card'
import { findChromium, launchBrowser } from '@countersign/testing/browser/chromium'
import { SIZES } from '@countersign/testing/inbox/browser'
import { enrolPage } from '@countersign/testing/inbox/enrolment'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { shareStore } from '@countersign/testing/postgres/shared-homes'
import { openBalancer } from '@countersign/testing/tcp-balancer'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = 'version: 1\nrules:\n  - { tool: jot, supervision: confirm }\n'
const INBOX = fileURLToPath(new URL('../../packages/web/dist', import.meta.url))

describe.skipIf(missingPostgres() || findChromium() === undefined)('a page behind a load balancer', () => {
  const server = usePostgres()

  it('shows and decides the next call when its service dies, without being loaded again', async () => {
    const address = server.freshAddress()
    const { homes, workspace } = await shareStore([address, address], POLICY)
    const balancer = await openBalancer()
    const publicUrl = new URL(`http://localhost:${balancer.port}`)
    const [one, two] = await Promise.all(
      homes.map((home) => startService({ home, version: '0.1.0', port: 0, inbox: INBOX, publicUrl })),
    )
    const [first, second] = homes
    if (one === undefined || two === undefined || first === undefined || second === undefined)
      throw new Error('two services were started')
    const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)
    onTestFinished(() => two.stop())
    onTestFinished(() => one.stop())
    balancer.lead(portOf(one))

    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await (await browser.newContext(SIZES.desktop)).newPage()
    page.setDefaultTimeout(30_000)
    await enrolPage(page, { link: () => one.link().link, code: () => makeEnrolmentCode(first, Date.now()) }, 'Ana')

    const { gate } = await openGate({ home: second, workspace })
    onTestFinished(() => gate.close())
    const call = (text: string) => ({ tool: 'jot', args: { text } })
    const earlier = gate.run(call('earlier'), () => 'sent')
    await page.getByText('earlier').first().waitFor()
    await page.evaluate('globalThis.stayed = true')

    balancer.lead(portOf(two))
    await one.stop()
    const later = gate.run(call('later'), () => 'sent')
    await page.getByText('later').first().waitFor()
    expect(await page.evaluate('globalThis.stayed')).toBe(true)
    for (const name of ['earlier', 'later']) {
      await page.getByText(name).first().click()
      await armed(page)
      await approve(page).click()
      expect(await (name === 'earlier' ? earlier : later)).toMatchObject({ kind: 'completed', value: 'sent' })
    }
    expect(await page.evaluate('globalThis.stayed')).toBe(true)
    await expect.poll(() => page.locator('.receipt-effect').count()).toBe(2)
  })
})
