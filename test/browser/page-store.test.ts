import { findChromium } from '@countersign/testing/browser/chromium'
import { openPageBrowser, type PageBrowser } from '@countersign/testing/page/page-browser'
import { remoteStore } from '@countersign/testing/page/remote-store'
import { entry, open } from '@countersign/testing/store/changes'
import { storeLaws } from '@countersign/testing/store/store-laws'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe.skipIf(findChromium() === undefined)('in Chromium', () => {
  let inside: PageBrowser
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    inside = await openPageBrowser()
    context = await inside.context()
    page = await inside.tab(context)
  })
  afterAll(() => inside?.close())

  async function opened({ now }: { readonly now?: () => number } = {}) {
    const name = crypto.randomUUID()
    const again = () => remoteStore(page, name, now?.() ?? null)
    return { store: await again(), again, name }
  }

  storeLaws('the IndexedDB store', opened)

  describe('the IndexedDB store', () => {
    it('is written by several tabs at once: each call is decided once, and the journal verifies', async () => {
      const { store, name } = await opened()
      const tabs = [page, await inside.tab(context), await inside.tab(context)]
      const stores = await Promise.all(tabs.map((tab) => remoteStore(tab, name, null)))
      const ids = Array.from({ length: 12 }, (_, at) => `c${at}`)
      for (const id of ids) await store.commit(open(id))
      const decide = (id: string) => ({
        entries: [entry(id)],
        move: { id, from: 'held', to: 'decided' } as const,
        durable: false,
      })
      const results = await Promise.all(stores.flatMap((one) => ids.map((id) => one.commit(decide(id)))))
      expect(results.filter(({ kind }) => kind === 'committed').length).toBe(ids.length)
      expect((await store.head()).size).toBe(2 * ids.length)
      const handle = crypto.randomUUID()
      const kind = await page.evaluate(
        async ([one, named]) => {
          await window.parts.openStore(one, named, null)
          return window.parts.verifyStore(one, named)
        },
        [handle, name] as const,
      )
      expect(kind).toBe('intact')
    })

    it('stops when another tab opens a newer version, and refuses to open an older one', async () => {
      const { store, name } = await opened()
      await store.commit(open('a'))
      const upgraded = await page.evaluate(
        (named) =>
          new Promise((resolve) => {
            const opening = indexedDB.open(named, 99)
            opening.onsuccess = () => resolve('upgraded')
          }),
        name,
      )
      expect(upgraded).toBe('upgraded')
      await expect(store.commit(open('b'))).rejects.toThrow('reload this page')
      await expect(store.calls({})).rejects.toMatchObject({ code: 'CS_STORE_READ' })
      await expect(remoteStore(page, name, null)).rejects.toThrow('belongs to a newer version of this page')
    })

    it('writes nothing beyond the space that the browser gives, and says what to do', async () => {
      const own = await inside.context()
      const tab = await inside.tab(own)
      const session = await own.newCDPSession(tab)
      const quota = (more: object) =>
        session.send('Storage.overrideQuotaForOrigin', { origin: 'https://page.test', ...more })
      await quota({ quotaSize: 2_000_000 })
      const store = await remoteStore(tab, 'small', null)
      await store.commit(open('a'))
      const refusal = await store.commit(open('b', { sealed: new Uint8Array(4_000_000) })).catch((error) => error)
      await quota({})
      expect(refusal).toMatchObject({ code: 'CS_STORE_WRITE' })
      expect(refusal.message).toContain('no space left')
      expect(await store.call('b')).toBeUndefined()
      expect((await store.head()).size).toBe(1)
      expect((await store.commit(open('b'))).kind).toBe('committed')
      await own.close()
    })
  })
})
