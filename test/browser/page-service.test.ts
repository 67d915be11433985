import { openAskingToken } from '@countersign/node'
import { findChromium } from '@countersign/testing/browser/chromium'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { openPageBrowser, type PageBrowser } from '@countersign/testing/page/page-browser'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const ORIGIN = 'https://page.test'

describe.skipIf(findChromium() === undefined)('a page that asks a service', () => {
  let inside: PageBrowser
  beforeAll(async () => {
    inside = await openPageBrowser()
  })
  afterAll(() => inside?.close())

  async function openWorld({ origins = [ORIGIN], wrong }: { origins?: readonly string[]; wrong?: string } = {}) {
    const world = await openServiceWorld({ pages: { port: 0, origins } })
    const context = await inside.context()
    onTestFinished(() => context.close())
    // Chromium asks the person whether a site may reach this machine.
    await context.grantPermissions(['local-network-access'], { origin: ORIGIN })
    const page = await inside.tab(context)
    const token = wrong ?? openAskingToken(world.home).token
    const options = { url: `http://localhost:${world.service.pagePort}`, token, workspace: world.workspace }
    const connected = await page.evaluate((given) => window.parts.connect(given), options)
    const answers = () => page.evaluate(() => window.parts.answers())
    const ran = () => page.evaluate(() => window.parts.ran())
    const use = (name: string, args: object) =>
      page.evaluate(([tool, given]) => window.parts.useService(tool, given), [name, args] as const)
    return { world, page, connected, answers, ran, use }
  }

  it('runs a tool once, with the approved arguments, after a person decided in the inbox', async () => {
    const { world, connected, answers, ran, use } = await openWorld()
    expect(connected).toBe('connected')
    await use('jot', { text: 'a' })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    expect(await ran()).toEqual([])
    await world.decide(view, { kind: 'approve', edited: { text: 'b' } })
    await expect.poll(answers).toMatchObject([{ kind: 'completed', value: 'done', recorded: true }])
    expect(await ran()).toEqual([['jot', { text: 'b' }]])
    expect((await world.entries()).map(({ kind }) => kind)).toContain('completed')
  })

  it('runs nothing that was rejected, or when the service is gone', async () => {
    const { world, answers, ran, use } = await openWorld()
    await use('jot', { text: 'no' })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'reject', reason: 'not now' })
    await expect.poll(answers).toMatchObject([{ kind: 'refusal', outcome: 'rejected', reason: 'not now' }])
    await use('jot', { text: 'later' })
    await world.held(1)
    await world.service.stop()
    await expect.poll(async () => (await answers()).length).toBe(2)
    await use('jot', { text: 'never' })
    await expect.poll(async () => (await answers()).length).toBe(3)
    expect(JSON.stringify((await answers()).slice(1))).toMatch(/CS_(SERVICE_GONE|WITHDRAWN)/)
    expect(await ran()).toEqual([])
  })

  it('withdraws what a closed tab asked', async () => {
    const { world, page, use } = await openWorld()
    await use('jot', {})
    await world.held(1)
    await page.close()
    await world.held(0)
  })

  it('submits a call, and collects it later', async () => {
    const { world, page } = await openWorld()
    const ticket = await page.evaluate(() => window.parts.service().submit({ tool: 'jot', args: { text: 'c' } }))
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'approve' })
    const answer = await page.evaluate((one) => window.parts.service().wait(one), ticket)
    expect(answer).toMatchObject({ kind: 'permit', args: { text: 'c' } })
    await page.evaluate((one) => window.parts.service().settle(one, 'completed'), { callId: ticket.callId })
  })

  it('is not let in from another origin, or with a wrong token', async () => {
    const other = await openWorld({ origins: ['https://other.test'] })
    expect(other.connected).toContain('CS_SERVICE')
    const guessing = await openWorld({ wrong: 'guessed' })
    expect(guessing.connected).toContain('CS_SIGN_IN')
  })
})
