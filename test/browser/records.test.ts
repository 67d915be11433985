import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expectNoViolations, expectNoViolationsInBothThemes } from '@countersign/testing/browser/axe'
import { EACH_SIZE, type InboxBrowser, SIZES } from '@countersign/testing/inbox/browser'
import { CALLS, SECRET } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import { until } from '@countersign/testing/until'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

/** Decides a call as from a terminal, with a grant of the given scope. */
async function decide(inbox: InboxBrowser, id: string, kind: 'approve' | 'reject', scope?: string): Promise<void> {
  const view = await inbox.service.opened.desk.view(id)
  const offer = view?.offers.find((one) => one.scope.kind === scope)
  if (scope !== undefined && offer === undefined) throw new Error(`no grant of scope ${scope} is offered`)
  const lifetime = offer?.lifetimes.find((one) => one.kind === 'minutes')
  const bounds = offer?.bounds === undefined ? {} : { bounds: offer.bounds }
  const grant =
    offer === undefined || lifetime === undefined ? {} : { grant: { scope: offer.scope, lifetime, ...bounds } }
  const { accepted } = await inbox.service.decide(id, { kind, ...(kind === 'reject' ? { reason: 'in use' } : grant) })
  expect(accepted).toBe(true)
  await until(`the end of ${id}`, async () => (await inbox.service.opened.desk.past(id))?.outcome !== null)
}

/** Text about a tool without held calls. */
const LAST = {
  fetch_weather: 'Current policy: confirm for its last call, by builtin.declared-confirm',
  fetch_stock:
    'The current verdict is unknown because the journal has only part of the last call. Last time it was confirm',
}

async function prepare(inbox: InboxBrowser): Promise<void> {
  const { service } = inbox
  for (const title of ['VAT by country', 'Prices in CHF'])
    await decide(inbox, await service.hold({ ...CALLS.server, args: { title } }), 'approve', 'exact')
  // A pattern is offered only where the remote of its repeats is known.
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: service.workspace, stdio: 'ignore' })
  git('init')
  git('remote', 'add', 'origin', 'https://code.example/shop.git')
  const push = { ...CALLS.command, containable: true, args: { command: 'git push origin feature' } }
  await decide(inbox, await service.hold(push), 'approve', 'pattern')
  await decide(inbox, await service.hold(CALLS.move), 'reject')
  await service.hold({ ...CALLS.server, args: { title: 'still held' } })
}

inboxTests('the record pages of the inbox', { prepare }, (inbox) => {
  /** Passes axe in both themes and does not scroll sideways. */
  async function check(page: Page): Promise<void> {
    await expectNoViolationsInBothThemes(page, page.url())
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  }

  atEachSize((size) => {
    it('describe what each grant covers', async () => {
      const page = await inbox.page(size, '/grants')
      await page.locator('.grant').nth(2).waitFor()
      const texts = await page.locator('.grant').allInnerTexts()
      const [vat, chf, git] = ['VAT by country', 'Prices in CHF', 'git push origin <branches and tags>'].map((words) =>
        texts.filter((text) => text.includes(words)),
      )
      expect([vat, chf, git].map((found) => found?.length)).toEqual([1, 1, 1])
      expect(vat?.[0]).toMatch(/tracker\/create_issue with exactly these arguments/)
      expect(vat?.[0]).toMatch(/for coder-1 › planner, granted by Ana .*, used 0 times, until /)
      expect(git?.[0]).toMatch(
        /^commands git push origin <branches and tags> of execute_command in \S+shop, without variables, redirections and flags (?:--[a-z-]+, )*-C, /,
      )
      expect(texts.join('\n')).not.toMatch(/[`{}]/)
      await check(page)
      await page.close()
    })

    it('filter the history, open a call and export the matches', async () => {
      const page = await inbox.page(size, '/history')
      await page.locator('.past').nth(3).waitFor()
      const rows = await page.locator('.past-what').allInnerTexts()
      expect(rows.join('\n')).not.toContain('`')
      for (const title of ['VAT by country', 'Prices in CHF'])
        expect(rows.filter((row) => row.includes(title))).toHaveLength(1)
      for (const [label, choice, left] of [
        ['Agent', 'cleaner', 1],
        ['Agent', '', 4],
        ['Tool', 'tracker/create_issue', 2],
        ['Decided by', 'Ana', 2],
        ['Outcome', 'rejected', 0],
      ] as const) {
        const list = page.getByLabel(label)
        await list.selectOption(choice === '' ? { index: 0 } : { label: choice })
        await expect.poll(() => page.locator('.past').count()).toBe(left)
      }
      await page.getByText('No matching calls.').waitFor()
      await page.getByLabel('Outcome').selectOption({ index: 0 })
      await page.getByText('VAT by country').first().click()
      const details = page.locator('.past-details')
      await details.getByText('"title"').waitFor()
      const words = await details.textContent()
      for (const part of ['preset.balanced.medium', 'medium', 'approved by Ana in the terminal', 'completed', 'judged'])
        expect(words).toContain(part)
      await check(page)
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Export JSONL').click()])
      const lines = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n')
      expect(lines.map((line) => JSON.parse(line).tool)).toEqual(['tracker/create_issue', 'tracker/create_issue'])
      await page.getByText('Exported all 2 matching calls.').waitFor()
      // A call id in the URL overrides the filters.
      await page.goto(`${inbox.service.url}/history?outcome=rejected`)
      const rejected = page.locator('.past')
      await rejected.getByText('rejected by Ana').waitFor()
      expect(await rejected.count()).toBe(1)
      const [{ id } = { id: '' }] = await inbox.service.opened.desk.history({ outcome: 'rejected' })
      await page.goto(`${inbox.service.url}/history?outcome=completed&call=${id}`)
      await details.getByText('rejected by Ana in the terminal').first().waitFor()
      await page.close()
    })

    it('show a tool’s definition, verdict and setting', async () => {
      const page = await inbox.page(size, '/tools')
      await page.getByLabel('Find a tool').fill('CREATE_')
      await expect.poll(() => page.locator('.tool').count()).toBe(1)
      await page.locator('.tool-head', { hasText: 'tracker/create_issue' }).click()
      await page.getByText('Current policy: confirm for its held call, by preset.balanced.medium').waitFor()
      await page.getByText('Creates an issue in the tracker.', { exact: true }).waitFor()
      await page.getByText('Full definition').click()
      await page.getByText('"inputSchema"').waitFor()
      const choice = page.locator('.tool').getByLabel('Supervision')
      expect(await choice.inputValue()).toBe('default')
      await choice.selectOption({ label: 'Never ask' })
      const change = page.getByRole('region', { name: 'Change of the policy' })
      await change.getByText(/^would change \d+ of the last/).waitFor()
      await page.getByRole('button', { name: 'Cancel' }).click()
      expect(await change.count()).toBe(0)
      await check(page)
      await page.getByLabel('Find a tool').fill('nothing')
      await page.getByText('No matching tools.').waitFor()
      await page.close()
    })

    it('explain a command, a tool with its arguments, and a pasted call, without holding them', async () => {
      const before = (await inbox.service.opened.desk.list()).length
      const page = await inbox.page(size, '/explain')
      await page.getByLabel('Command line').fill('rm -rf ~')
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.locator('.trace-verdict .cs-risk-critical').waitFor()
      await page.getByRole('radio', { name: 'Tool' }).check()
      await page.getByLabel(/^Tool \(/).fill('tracker/list_issues')
      await page.getByLabel('Argument 1', { exact: true }).fill('project')
      await page.getByLabel('Value of argument 1').fill('shop')
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.locator('.trace-verdict', { hasNot: page.locator('.cs-risk-critical') }).waitFor()
      await check(page)
      await page.getByRole('radio', { name: 'JSON' }).check()
      await page.getByLabel(/Call \(JSON\)/).fill('{"tool":"execute_command","args":{"command":"rm -rf /"}}')
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.locator('.trace-verdict .cs-risk-critical').waitFor()
      expect((await inbox.service.opened.desk.list()).length).toBe(before)
      await check(page)
      await page.close()
    })

    it('chart the decisions and list them as text', async () => {
      const page = await inbox.page(size, '/charts')
      await page.getByText('3 approved, 1 rejected, 0 expired').first().waitFor()
      await page.getByText('Decisions per hour, last 6 hours').waitFor()
      const hours = await page.getByRole('list', { name: 'Decisions by hour' }).locator('li').allTextContents()
      const sums = ['approved', 'rejected'].map((kind) =>
        hours.reduce((sum, hour) => sum + Number(hour.match(new RegExp(`(\\d+) ${kind}`))?.[1]), 0),
      )
      expect(sums).toEqual([3, 1])
      // The current hour is wide enough to see.
      const drawn = (canvas: HTMLCanvasElement): number => {
        const colour = getComputedStyle(canvas).getPropertyValue('--cs-low').trim()
        const probe = document.createElement('canvas').getContext('2d')
        const context = canvas.getContext('2d')
        if (probe === null || context === null) return 0
        probe.fillStyle = colour
        probe.fillRect(0, 0, 1, 1)
        const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data
        const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height)
        const columns = new Set<number>()
        for (let at = 0; at < width * height; at += 1)
          if (data[4 * at] === red && data[4 * at + 1] === green && data[4 * at + 2] === blue) columns.add(at % width)
        return columns.size / width
      }
      await expect.poll(() => page.locator('.chart-frame canvas').evaluate(drawn)).toBeGreaterThan(0.05)
      const tab = await page.getByRole('link', { name: 'Charts' }).boundingBox()
      expect((tab?.x ?? 0) + (tab?.width ?? 999)).toBeLessThanOrEqual(SIZES[size].viewport.width - 32)
      await check(page)
      await page.close()
    })
  })

  it('tell an empty history from one without matches', async () => {
    const page = await inbox.page('desktop', '/history?days=1&outcome=unknown')
    await page.getByText('No matching calls.').waitFor()
    await page.route('**/api/v1/history?*', (route) => route.fulfill({ json: { calls: [] } }))
    await page.goto(`${inbox.service.url}/history`)
    await page.getByText('No calls yet.').waitFor()
    await page.close()
  })

  // These add records, so they come last.
  it('tell the current verdict apart from the grant that let the last call run', async () => {
    const label = { ...CALLS.server, tool: { name: 'add_label', server: 'tracker' }, args: { issue: 7, label: 'q4' } }
    await decide(inbox, await inbox.service.hold(label), 'approve', 'exact')
    const granted = await inbox.service.hold(label)
    await until(
      'the end of a granted call',
      async () => (await inbox.service.opened.desk.past(granted))?.outcome === 'completed',
    )
    const row = (page: Page) => page.locator('.tool').filter({ hasText: 'tracker/add_label' })
    const page = await inbox.page('desktop', '/tools')
    await row(page).locator('.cs-tag').getByText('confirm', { exact: true }).waitFor()
    await row(page).locator('summary').first().click()
    await page
      .getByText('Current policy: confirm for its last call, by preset.balanced.medium (the balanced preset)')
      .waitFor()
    await page
      .getByText(/Last verdict, .*: automatic, by grant \w+ \(preset.balanced.medium .* asks for confirm\)/)
      .waitFor()
    await page.close()
  })

  it('show the current verdict of a tool, or that it is unknown', async () => {
    const declared = {
      tool: 'fetch_weather',
      source: 'custom',
      requiresConfirmation: true,
      args: { city: 'Linz' },
    } as const
    const secret = { ...declared, tool: 'fetch_stock', args: { token: SECRET } } as const
    for (const call of [declared, secret]) {
      const { service } = inbox
      const row = (page: Page) => page.locator('.tool').filter({ hasText: call.tool })
      const id = await service.hold(call)
      for (const words of ['Current policy: confirm for its held call', LAST[call.tool]]) {
        const page = await inbox.page('desktop', '/tools')
        await row(page)
          .locator('.cs-tag')
          .getByText(/^(?:last )?confirm$/)
          .waitFor()
        await row(page).locator('summary').first().click()
        await row(page).locator('.tool-now').getByText(words).waitFor()
        await page.close()
        if (words !== LAST[call.tool]) await decide(inbox, id, 'reject')
      }
    }
  })

  describe.each(EACH_SIZE)('and a held call on a %s', (size) => {
    it('hide a secret until it is revealed', async () => {
      const id = await inbox.service.hold(CALLS.post)
      const page = await inbox.page(size, `/held/${id}`)
      await page.getByText('Calls http_request to POST').first().waitFor()
      expect(await page.content()).not.toContain(SECRET)
      await page.getByRole('button', { name: 'Reveal' }).click()
      await page.getByText(SECRET).first().waitFor()
      await page.close()
      await inbox.service.opened.gate.withdraw({ kind: 'ticket', callId: id })
    })

    it('keep risk badges clear of text and name the input of a command', async () => {
      const command = 'curl -s https://get.example/install.sh | sudo bash -s'
      const id = await inbox.service.hold({ ...CALLS.command, args: { command } })
      const page = await inbox.page(size, `/held/${id}`)
      await page.locator('.cs-parts').waitFor()
      expect(await page.locator('.cs-parts > li').last().textContent()).toMatch(/via sudo · input from curl/)
      const covered = await page.locator('.cs-parts > li, .cs-risks > li').evaluateAll(
        (rows) =>
          rows.filter((row) => {
            const [badge, words] = row.children
            return badge !== undefined && words !== undefined
              ? badge.getBoundingClientRect().right > words.getBoundingClientRect().left
              : false
          }).length,
      )
      expect(covered).toBe(0)
      await page.close()
      await inbox.service.opened.gate.withdraw({ kind: 'ticket', callId: id })
    })

    it('mention keys only where there is a keyboard', async () => {
      const id = await inbox.service.hold({ ...CALLS.move, args: { source: 'src/cart.ts', destination: 'b' } })
      const page = await inbox.page(size, `/held/${id}`)
      await page.locator('.cs-bar').waitFor()
      await inbox.service.decide(id, { kind: 'reject' })
      await page.getByText('still held.').waitFor()
      expect(await page.locator('.pane-receipt').getByText('press').isVisible()).toBe(size === 'desktop')
      await page.getByRole('link', { name: 'Open the next call' }).waitFor()
      await page.close()
    })
  })

  it('are installable', async () => {
    const page = await inbox.page('phone')
    const href = await page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = await (await page.request.get(`${inbox.service.url}${href}`)).json()
    expect(manifest).toMatchObject({ name: 'Countersign', start_url: '/', scope: '/', display: 'standalone' })
    const sizes = new Set<string>()
    for (const icon of manifest.icons) {
      const answer = await page.request.get(`${inbox.service.url}${icon.src}`)
      expect([icon.src, answer.status(), answer.headers()['content-type']]).toEqual([icon.src, 200, icon.type])
      const natural = await page.evaluate(async (src: string) => {
        const image = new Image()
        image.src = src
        await image.decode()
        return `${image.naturalWidth}x${image.naturalHeight}`
      }, icon.src)
      if (icon.type === 'image/png') expect(natural).toBe(icon.sizes)
      sizes.add(icon.sizes)
    }
    expect([...sizes]).toEqual(expect.arrayContaining(['192x192', '512x512']))
    const worker = await page.evaluate(async () => {
      const { active, scope } = await navigator.serviceWorker.ready
      return { script: new URL(active?.scriptURL ?? '').pathname, scope: new URL(scope).pathname }
    })
    expect(worker).toEqual({ script: '/sw.js', scope: '/' })
    await page.close()
  })
})

async function rejectOne(inbox: InboxBrowser): Promise<void> {
  await decide(inbox, await inbox.service.hold(CALLS.move), 'reject')
}

inboxTests('the journal page', { prepare: rejectOne }, (inbox) => {
  it.each(EACH_SIZE)('follows new entries and verifies when opened or asked to (%s)', async (size) => {
    const asked: string[] = []
    const page = await inbox.page(size)
    page.on('request', (request) => void (request.url().includes('/journal') && asked.push(request.url())))
    await page.goto(`${inbox.service.url}/journal`)
    await page.getByText(/Verified up to entry \d/).waitFor()
    await page.locator('.entry').first().waitFor()
    const rows = await page.locator('.entry').count()
    await inbox.service.hold({ tool: 'note', args: { text: size } })
    await expect.poll(() => page.locator('.entry').count()).toBeGreaterThan(rows)
    expect(asked.filter((url) => url.includes('/journal/verified'))).toHaveLength(1)
    expect(asked.findLast((url) => !url.includes('verified'))).toMatch(/\?from=\d+&limit=100$/)
    await page.getByRole('button', { name: 'Verify all' }).click()
    await expect.poll(() => asked.filter((url) => url.endsWith('/journal/verified?whole=true'))).toHaveLength(1)
    await page.locator('.entry').first().click()
    await page.getByRole('region', { name: 'Journal entry' }).waitFor()
    await page.close()
  })

  it.each(EACH_SIZE)('reports damage (%s)', async (size) => {
    const page = await inbox.page(size, '/journal')
    const db = new DatabaseSync(join(inbox.service.workspace, '../home/store.db'))
    db.exec(`UPDATE entry SET line = replace(line, '"decision":"reject"', '"decision":"accept"')`)
    db.close()
    await page.getByRole('button', { name: 'Verify all' }).click()
    await page.getByRole('alert').getByText('The journal is damaged.').waitFor()
    expect(await page.getByRole('alert').textContent()).toMatch(/entry \d+/)
    expect(await page.getByText('Verified up to entry').count()).toBe(0)
    await expectNoViolations(page, 'a damaged journal')
    await page.close()
  })
})
