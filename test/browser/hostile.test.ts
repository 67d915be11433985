import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../support/browser.ts'
import { type InboxBrowser, openInboxBrowser } from '../support/inbox-browser.ts'

const SLOW = { timeout: 60_000 }

/** What a page must show as letters. Each would do something, hide or pose as something else if it were more. */
const HOSTILE = [
  '<img src=x onerror="globalThis.hit=1">',
  '<script>globalThis.hit=1</script>',
  '"><svg onload=globalThis.hit=1>',
  'javascript:globalThis.hit=1',
  '</pre></details><style>*{display:none}</style>',
  '[click me](javascript:globalThis.hit=1) **bold** `code` ```',
  '{{constructor.constructor("globalThis.hit=1")()}}',
  '\u001b[2J\u001b[8mhidden\u001b[0m \u001b]0;title\u0007 \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  'safe\rrm -rf /',
  'abc\u202egnp.exe',
  'zero\u200bwidth\u2060joined\ufeff',
  'tag\u{e0041}\u{e0042}',
  'p\u0430yp\u0430l.com',
  'a\u00a0b\u2800c\u3164d',
  `z\u0335\u0336\u0337\u0338\u0334\u0335`,
] as const

describe.skipIf(findChromium() === undefined)('what an agent or a server writes', () => {
  let inbox: InboxBrowser
  beforeAll(async () => {
    inbox = await openInboxBrowser()
  }, 60_000)
  afterAll(() => inbox?.close())
  afterEach(async () => {
    await inbox.service.clear()
    expect(inbox.complaints()).toEqual([])
  })

  it('is inert text in every field and on every page, and what hides is marked', SLOW, async () => {
    const all = HOSTILE.join(' ')
    const id = await inbox.service.hold({
      tool: { name: `tool ${HOSTILE[0]}`, server: 'evil', description: all },
      source: 'mcp',
      agent: { name: `agent ${HOSTILE[1]}`, parents: [HOSTILE[2]] },
      args: {
        [`name${HOSTILE[0]}`]: all,
        lines: HOSTILE.join('\n'),
        list: [...HOSTILE],
        nested: { [HOSTILE[1]]: all },
      },
      said: all,
      confirmationMessage: all,
    })
    await inbox.service.hold({ tool: 'execute_command', args: { command: `echo '${HOSTILE[9]}' ${HOSTILE[0]}` } })
    const page = await inbox.page('desktop', `/held/${id}`)
    await page.getByText('The agent says').waitFor()
    await page.getByText(/^Details/).click()
    for (const path of ['/', '/tools', '/journal', '/history']) {
      const text = await page.evaluate(() => document.body.textContent ?? '')
      // Nothing unmarked reaches the page: no control, bidi, zero-width, tag or filler character.
      expect(text).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u3164\u2800\u{e0000}-\u{e0fff}]/u,
      )
      const made = await page.evaluate(() => ({
        hit: (globalThis as { hit?: number }).hit ?? null,
        strange: document.querySelectorAll(
          '#root script, #root style, #root iframe, #root img:not([src="/icon.svg"]), #root [onerror], #root [onload], #root a[href^="javascript"]',
        ).length,
      }))
      expect(made).toEqual({ hit: null, strange: 0 })
      await page.goto(`${inbox.service.url}${path}`)
      await page.locator('h1').first().waitFor()
    }
    await page.goto(`${inbox.service.url}/held/${id}`)
    await page.getByText('The agent says').waitFor()
    const marks = await page.locator('.cs-mark').allTextContents()
    for (const mark of ['⟦ESC⟧', '⟦CR⟧', '⟦U+202E⟧', '⟦U+200B⟧', '⟦U+E0041⟧', '⟦U+0430⟧', '⟦U+00A0⟧', '⟦U+2800⟧'])
      expect(marks).toContain(mark)
    const words = page.locator('.cs-words').last()
    expect(await words.locator('figcaption').textContent()).toMatch(/in its own words \(not checked\)/)
    expect(await words.locator('a, b, strong, code, img').count()).toBe(0)
    await page.close()
  })

  it('covers a secret until the person asks to see it', SLOW, async () => {
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
    const id = await inbox.service.hold({
      tool: 'http_request',
      args: { method: 'POST', url: 'https://api.example/x', headers: { Authorization: `Bearer ${secret}` } },
    })
    const page = await inbox.page('desktop', `/held/${id}`)
    await page.getByRole('button', { name: 'Reveal' }).waitFor()
    expect(await page.locator('body').textContent()).not.toContain(secret)
    await page.getByRole('button', { name: 'Reveal' }).click()
    await page.getByText(secret).first().waitFor()
    await page.close()
  })

  it.each(['desktop', 'phone'] as const)('of 1 MB cannot be approved unseen at high (%s)', SLOW, async (size) => {
    const filler = Array.from({ length: 20_000 }, (_, at) => `echo line ${at} of a very long script that does nothing`)
    const command = [...filler, 'rm -rf ~/everything'].join('\n')
    expect(command.length).toBeGreaterThan(1_000_000)
    const id = await inbox.service.hold({ tool: 'deploy', args: { script: command, environment: 'production' } })
    const page = await inbox.page(size, `/held/${id}`)
    const button = page.getByRole('button', { name: /^Approve/ })
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await button.click({ force: true })
    await page.getByText('Open what is folded and read it to its end first.').waitFor()
    expect(await page.locator('.cs-bar').getAttribute('data-stage')).toBe('choose')
    await page.getByText('rm -rf ~/everything').first().waitFor() // the end stands there even while it is folded
    await page.getByText('Show everything').first().click()
    await page.locator('.cs-code-end').first().waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    for (const end of ['.cs-code-end', '.cs-end'])
      await page
        .locator(end)
        .first()
        .evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
    await page.close()
  })

  it('is not seen while it lies behind the buttons', SLOW, async () => {
    const id = await inbox.service.hold({ tool: 'deploy', args: { environment: 'production', note: 'x' } })
    const page = await inbox.page('phone', `/held/${id}`)
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    const { end, bar } = await page.evaluate(() => ({
      end: (document.querySelector('.cs-end')?.getBoundingClientRect().top ?? 0) + globalThis.scrollY,
      bar: document.querySelector('.cs-bar')?.getBoundingClientRect().height ?? 0,
    }))
    // A window in which the end is covered by the bar, and by nothing but it.
    await page.setViewportSize({ width: 390, height: Math.ceil(end + bar / 2) })
    await page.reload()
    await page.locator('.cs-bar[data-armed=true]').waitFor()
    const button = page.getByRole('button', { name: /^Approve/ })
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await page.locator('.cs-end').evaluate((element) => element.scrollIntoView({ block: 'start' }))
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe('false')
    await page.close()
  })

  it('cannot be framed or run inline: the policy of content stands on every answer', async () => {
    for (const path of ['/', '/held/x', '/assets/none.js', '/api/v1/me']) {
      const answer = await fetch(`${inbox.service.url}${path}`)
      const policy = answer.headers.get('content-security-policy') ?? ''
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy).toContain(part)
      expect(policy).not.toContain('unsafe')
    }
  })
})
