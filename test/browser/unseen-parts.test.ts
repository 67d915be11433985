import { approve, ariaDisabled, armed, receipt } from '@countersign/testing/browser/card'
import { lookAt } from '@countersign/testing/browser/scroll-card'
import { CALLS, SECRET } from '@countersign/testing/inbox/scenario'
import { atEachSize, inboxTests } from '@countersign/testing/inbox/suite'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'

const ALEF = '\u05d0\u05d1'
const ARABIC = '\u0633\u0644'

/** The words of an element from left to right, as they are drawn. */
function drawn(element: Locator, words: readonly string[]): Promise<readonly string[]> {
  return element.evaluate((root, wanted) => {
    const texts: Text[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    const places = wanted.map((word) => {
      const text = texts.find((one) => one.data.includes(word))
      if (text === undefined) throw new Error(`no ${word}`)
      const range = document.createRange()
      range.setStart(text, text.data.indexOf(word))
      range.setEnd(text, text.data.indexOf(word) + word.length)
      return { word, x: range.getBoundingClientRect().x }
    })
    return places.toSorted((one, other) => one.x - other.x).map(({ word }) => word)
  }, words)
}

inboxTests('parts of a call that a person could miss', {}, (inbox) => {
  it.each(['ltr', 'rtl'])('are never reordered by right-to-left letters, on a page that is %s', async (dir) => {
    const id = await inbox.service.hold({
      tool: { name: 'execute_command' },
      args: { command: `cat ${ALEF} 7 > ${ARABIC} 9` },
    })
    const page = await inbox.page('desktop', `/held/${id}`)
    await armed(page)
    await page.evaluate((given) => document.documentElement.setAttribute('dir', given), dir)
    for (const place of ['.cs-code-strong', '.inbox-list a'])
      expect(await drawn(page.locator(place).first(), ['cat', ALEF, ' 7 ', '> ', ARABIC, ' 9'])).toEqual([
        'cat',
        ALEF,
        ' 7 ',
        '> ',
        ARABIC,
        ' 9',
      ])
    expect(await page.locator('.cs-rtl').first().getAttribute('title')).toBe('U+05D0 U+05D1')
    await page.close()
  })

  atEachSize((size) => {
    it('are revealed before an approval from medium risk up, and then read again', async () => {
      const padding = Array.from({ length: 70 }, (_, at) => `export const a${at} = ${at}`).join('\n')
      const content = `${padding}\nexport const token = "${SECRET}"\nexport const db = { password: 'production' }\n`
      await inbox.service.hold({ ...CALLS.write, args: { path: `src/${size}.ts`, content } })
      const page = await inbox.page(size)
      await page.getByRole('link', { name: /Writes 72 lines/ }).click()
      await page.locator('.cs-preview-end').scrollIntoViewIfNeeded()
      await armed(page)
      await page.getByText('Reveal the hidden secrets first.').waitFor()
      expect(await page.locator('.cs-card').textContent()).not.toContain(SECRET)
      expect(await page.locator('.cs-card').textContent()).toContain("password: 'production'")
      expect(await ariaDisabled(approve(page))).toBe('true')
      await page.keyboard.press('a')
      expect(await receipt(page).count()).toBe(0)
      await page.getByRole('button', { name: 'Reveal' }).click()
      await page.getByText('Read to the end first.').waitFor()
      await lookAt(page.locator('.cs-preview-end'))
      expect(await page.locator('.cs-card').textContent()).toContain(SECRET)
      await armed(page)
      await approve(page).click()
      await receipt(page).waitFor()
      await page.close()
    })
  })
})
