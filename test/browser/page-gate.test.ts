import { join } from 'node:path'
import { verifyExport } from '@countersign/core'
import { openCrypto, openHome } from '@countersign/node'
import type { PageGateOptions } from '@countersign/page'
import { expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { movePointer } from '@countersign/testing/browser/card'
import { findChromium } from '@countersign/testing/browser/chromium'
import { readToEnd } from '@countersign/testing/browser/scroll-card'
import { openPageBrowser, type PageBrowser } from '@countersign/testing/page/page-browser'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

const CONFIRM = { requiresConfirmation: true } as const

describe.skipIf(findChromium() === undefined)('a gate in a page', () => {
  let inside: PageBrowser
  beforeAll(async () => {
    inside = await openPageBrowser()
  })
  afterAll(() => inside?.close())

  async function newContext(): Promise<BrowserContext> {
    const context = await inside.context()
    onTestFinished(() => context.close())
    return context
  }

  /** A tab with an open gate. */
  async function tab(context: BrowserContext, options: PageGateOptions = {}): Promise<Page> {
    const page = await inside.tab(context)
    expect(await page.evaluate((given) => window.parts.start(given as PageGateOptions), options as object)).toBe('open')
    return page
  }

  const use = (page: Page, name: string, args: object = {}, options: object = CONFIRM) =>
    page.evaluate(([tool, given, more]) => window.parts.use(tool, given, more), [name, args, options] as const)
  const held = (page: Page) => page.evaluate(async () => (await window.parts.current().desk.list()).map(({ id }) => id))
  const isHeld = (page: Page) => expect.poll(async () => (await held(page)).length).toBe(1)
  const ran = (page: Page) => page.evaluate(() => window.parts.ran())
  const answers = (page: Page) => page.evaluate(() => window.parts.answers())
  const decide = (page: Page, kind: 'approve' | 'reject') => page.evaluate((one) => window.parts.decide(one), kind)
  const outcomes = (page: Page) =>
    page.evaluate(async () => (await window.parts.current().desk.history()).map(({ outcome }) => outcome))

  it('runs a tool once, after the person allowed it, and never after a no', async () => {
    const page = await tab(await newContext())
    await use(page, 'send_note', { to: 'Ada' })
    await isHeld(page)
    expect(await ran(page)).toEqual([])
    expect(await decide(page, 'approve')).toMatchObject({ accepted: true, state: 'approved' })
    await expect.poll(() => answers(page)).toMatchObject([{ kind: 'completed', value: 'done' }])
    await use(page, 'send_note', { to: 'Bea' })
    await isHeld(page)
    await decide(page, 'reject')
    await expect.poll(() => answers(page)).toMatchObject([{}, { kind: 'refusal', code: 'CS_REJECTED' }])
    expect(await ran(page)).toEqual([['send_note', { to: 'Ada' }]])
  })

  it('runs what only reads without asking, and records it', async () => {
    const page = await tab(await newContext())
    await page.evaluate(() => window.parts.use('list_notes', {}, { describe: () => ({ kind: 'read' }) }))
    await expect.poll(() => answers(page)).toMatchObject([{ kind: 'completed' }])
    expect(await outcomes(page)).toEqual(['completed'])
  })

  it('holds a write into a folder, since a page has none that a rule could mean (L11)', async () => {
    const page = await tab(await newContext())
    await use(page, 'write_file', { path: 'notes.txt', content: 'x' }, {})
    await isHeld(page)
    expect(await ran(page)).toEqual([])
  })

  it('wakes the asking tab when another tab decides', async () => {
    const context = await newContext()
    const [asking, other] = [await tab(context), await tab(context)]
    await use(asking, 'send_note')
    await isHeld(other)
    expect(await decide(other, 'approve')).toMatchObject({ accepted: true })
    await expect.poll(() => answers(asking)).toMatchObject([{ kind: 'completed' }])
    expect(await ran(asking)).toEqual([['send_note', {}]])
    expect(await decide(asking, 'approve')).toBeNull()
  })

  it('takes the first of two decisions (L6)', async () => {
    const context = await newContext()
    const tabs = [await tab(context), await tab(context), await tab(context)] as const
    await use(tabs[0], 'send_note')
    for (const page of tabs) await isHeld(page)
    const receipts = await Promise.all(tabs.map((page) => decide(page, 'approve')))
    expect(receipts.filter((one) => one?.accepted === true).length).toBe(1)
    await expect.poll(() => answers(tabs[0])).toMatchObject([{ kind: 'completed' }])
    expect(await ran(tabs[0])).toEqual([['send_note', {}]])
  })

  it('runs nothing because of a row that says “decided” without a valid signature', async () => {
    const context = await newContext()
    const [asking, other] = [await tab(context), await inside.tab(context)]
    await use(asking, 'send_note')
    await isHeld(asking)
    await other.evaluate(async () => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open('countersign page default')
        opening.onsuccess = () => resolve(opening.result)
      })
      const tx = database.transaction('call', 'readwrite')
      const rows = await new Promise<Record<string, unknown>[]>((resolve) => {
        const all = tx.objectStore('call').getAll()
        all.onsuccess = () => resolve(all.result)
      })
      for (const row of rows) {
        const decision = { kind: 'approve' }
        const { id: held, requestDigest } = row
        const signed = {
          held,
          requestDigest,
          nonce: 'x',
          approver: 'y',
          surface: 'z',
          at: 1,
          signature: 'eA==',
          decision,
        }
        tx.objectStore('call').put({ ...row, state: 'decided', decision: JSON.stringify(signed) })
      }
      await new Promise((resolve) => {
        tx.oncomplete = resolve
      })
      new BroadcastChannel('countersign page default').postMessage('written')
    })
    await expect
      .poll(() => asking.evaluate(async () => (await window.parts.current().desk.journal.export()).entries))
      .toContain('"kind":"decision-refused"')
    expect(await ran(asking)).toEqual([])
  })

  it('ends a held call with its tab, by reload or close, and runs nothing afterwards', async () => {
    const context = await newContext()
    const [first, second] = [await tab(context), await tab(context)]
    await use(first, 'send_note', { to: 'reloaded' })
    await isHeld(second)
    await first.reload()
    await expect.poll(() => held(second)).toEqual([])
    await first.waitForFunction('window.parts !== undefined')
    expect(await first.evaluate(() => window.parts.start())).toBe('open')
    await use(first, 'send_note', { to: 'closed' })
    await isHeld(second)
    await first.close()
    await expect.poll(() => held(second)).toEqual([])
    await expect.poll(() => outcomes(second)).toEqual(['withdrawn', 'withdrawn'])
    expect(await ran(second)).toEqual([])
  })

  it('shows a submitted call again after a reload, and its tool runs only when the caller collects it', async () => {
    const page = await tab(await newContext())
    const submit = () =>
      window.parts
        .current()
        .gate.submit({ id: 'once', tool: { name: 'send_note' }, args: {}, requiresConfirmation: true })
    const ticket = await page.evaluate(submit)
    await isHeld(page)
    await page.reload()
    await page.waitForFunction('window.parts !== undefined')
    expect(await page.evaluate(() => window.parts.start())).toBe('open')
    await isHeld(page)
    await decide(page, 'approve')
    const kind = await page.evaluate(async (one) => (await window.parts.current().gate.wait(one)).kind, ticket)
    expect(kind).toBe('permit')
    expect(await ran(page)).toEqual([])
  })

  it('reports a call as unknown if its tab is closed while the tool runs (L7)', async () => {
    const context = await newContext()
    const [first, second] = [await tab(context), await tab(context)]
    await first.evaluate(() => window.parts.useEndless('send_note'))
    await isHeld(second)
    await decide(second, 'approve')
    await expect.poll(() => ran(second)).toEqual([['send_note', {}]])
    await first.close()
    await expect.poll(() => outcomes(second)).toEqual(['unknown'])
  })

  it('expires a call that nobody decides', async () => {
    const page = await tab(await newContext(), { timeout: '1s' })
    await use(page, 'send_note')
    await expect.poll(() => answers(page)).toMatchObject([{ kind: 'refusal', outcome: 'expired' }])
    expect(await ran(page)).toEqual([])
  })

  it('waits 60 seconds by default, and as long as a policy says', async () => {
    const left = async (options: object): Promise<number> => {
      const page = await tab(await newContext(), options)
      await use(page, 'send_note')
      await isHeld(page)
      return page.evaluate(async () => {
        const [view] = await window.parts.current().desk.list()
        return (JSON.parse(view?.request ?? '{}').expiresAt - (view?.openedAt ?? 0)) / 10_000
      })
    }
    expect(await left({})).toBeCloseTo(6, 0)
    expect(await left({ policy: 'version: 1\ndefaults: { timeout: 5m }' })).toBeCloseTo(30, 0)
  })

  it('refuses what a policy denies, also a call that is held when the policy changes (L2)', async () => {
    const page = await tab(await newContext(), { policy: { version: 1, tools: { send_note: 'confirm' } } })
    await use(page, 'send_note', {}, {})
    await isHeld(page)
    await page.evaluate(() => window.parts.current().desk.usePolicy({ version: 1, never_allow: ['send_*'] }))
    await expect.poll(() => answers(page)).toMatchObject([{ kind: 'refusal', code: 'CS_DENIED' }])
    await page.evaluate(() => window.parts.current().desk.usePolicy('version: 1\nnonsense: true'))
    await use(page, 'list_notes', {}, {})
    await isHeld(page)
  })

  it('refuses every call once its store was taken away (L3)', async () => {
    const context = await newContext()
    const [page, other] = [await tab(context), await inside.tab(context)]
    await use(page, 'send_note')
    await isHeld(page)
    await other.evaluate(
      () =>
        new Promise((resolve) => {
          indexedDB.deleteDatabase('countersign page default').onsuccess = resolve
        }),
    )
    await use(page, 'send_note')
    await expect.poll(() => answers(page)).toMatchObject([{ kind: 'refusal' }])
    expect(JSON.stringify(await answers(page))).toContain('reload this page')
    expect(await ran(page)).toEqual([])
  })

  it.each([
    ['without IndexedDB', 'delete window.indexedDB; delete Window.prototype.indexedDB', 'IndexedDB'],
    [
      'in a private window that refuses to store',
      "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }",
      'allow site data',
    ],
    ['without Web Locks', 'delete Navigator.prototype.locks', 'Web Locks'],
  ])('opens no gate %s', async (_, spoil, message) => {
    const context = await newContext()
    await context.addInitScript(spoil)
    const page = await inside.tab(context)
    const answer = await page.evaluate(() => window.parts.start())
    expect(answer).toContain('CS_STORE_OPEN')
    expect(answer).toContain(message)
    expect(answer).not.toContain('\n')
  })

  it('exports a journal that another machine can verify', async () => {
    const page = await tab(await newContext())
    await use(page, 'send_note', { to: 'Ada' })
    await isHeld(page)
    await decide(page, 'approve')
    await expect.poll(() => answers(page)).toMatchObject([{ kind: 'completed' }])
    const { entries, checkpoint, publicKey } = await page.evaluate(() => window.parts.current().desk.journal.export())
    const crypto = openCrypto(openHome(join(temporaryFolder(), 'home')))
    const lines = entries.trimEnd().split('\n')
    const verify = (text: readonly string[]) =>
      verifyExport(text, { crypto, publicKeys: [publicKey], kept: [checkpoint] })
    expect(await verify(lines)).toMatchObject({ kind: 'intact', size: lines.length, keptTo: lines.length })
    expect(await verify(lines.map((line) => line.replace('approve', 'reject')))).toMatchObject({ kind: 'damaged' })
    expect(await page.evaluate(async () => (await window.parts.current().desk.journal.verify()).kind)).toBe('intact')
  })

  it('shows a call that needs manual approval as a whole card, and takes code and reason', async () => {
    const page = await tab(await newContext(), { policy: { version: 1, tools: { send_note: 'manual' } } })
    await page.evaluate(() => void window.parts.mountApprovals(window.parts.current().desk))
    await use(page, 'send_note', { to: 'Ada' }, {})
    const card = page.getByRole('alertdialog')
    await card.getByText('manual', { exact: true }).waitFor()
    await movePointer(page)
    await expectNoViolationsInBothThemes(page, 'the card')
    await readToEnd(page)
    await card.getByRole('button', { name: /^Approve/ }).click()
    const code = (await card.locator('.cs-the-code').textContent()) ?? ''
    await card.getByLabel(/^Type/).fill(code)
    await card.getByLabel('Reason').fill('Ada is waiting')
    await card.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect.poll(() => answers(page)).toMatchObject([{ kind: 'completed' }])
    await card.waitFor({ state: 'detached' })
    expect(await ran(page)).toEqual([['send_note', { to: 'Ada' }]])
  })
})
