import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import type { Io } from '../terminal/io.ts'
import { openBrowser } from './open-browser.ts'

/** A home, and a desktop whose link opener records its environment. */
function desktop(more: Io['env'] = {}) {
  const folder = temporaryFolder()
  const home = openHome(join(folder, 'home'))
  mkdirSync(home.run, { mode: 0o700 })
  const notes = join(folder, 'notes')
  const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open')
  writeFileSync(opener, `#!/bin/sh\nenv > '${notes}.part'\nmv '${notes}.part' '${notes}'\n`)
  chmodSync(opener, 0o755)
  const env: Io['env'] = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0', ...more }
  const io = { env } as Io
  return {
    home,
    io,
    opened: () => expect.poll(() => existsSync(notes)).toBe(true),
    environment: () => readFileSync(notes, 'utf8'),
    pages: () => readdirSync(home.run).filter((name) => name.endsWith('.html')),
  }
}

const LINK = { link: 'http://localhost:1/#ticket=a"b<c', expiresAt: 0 }

describe('a link opened in the browser', () => {
  it('deletes its page after a timeout or when the next one opens, and never that of another use', async () => {
    const { home, io, opened, pages } = desktop()
    const [mine, other] = ['inbox-0123456789abcdef.html', 'sign-in-0123456789abcdef.html']
    for (const name of [mine, other]) writeFileSync(join(home.run, name), 'left behind')
    openBrowser('inbox', LINK, home, io)
    expect(pages()).not.toContain(mine)
    await opened()
    await expect.poll(pages).toEqual([other])
    openBrowser('sign-in', LINK, home, io)
    expect(pages()).not.toContain(other)
    await expect.poll(pages).toEqual([])
  })

  it('passes no secret environment variables to the browser', async () => {
    const secret = 'a-secret-of-ours'
    const names = ['COUNTERSIGN_MCP_CLIENT_SECRET', 'COUNTERSIGN_MCP_URL', 'COUNTERSIGN_MCP_HEADERS']
    const { home, io, opened, environment } = desktop(Object.fromEntries(names.map((name) => [name, secret])))
    openBrowser('sign-in', LINK, home, io)
    await opened()
    expect(environment()).toContain('DISPLAY=:0')
    expect(environment()).not.toContain(secret)
  })
})
