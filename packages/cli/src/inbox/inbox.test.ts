import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInsPath } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { openServiceWorld, signIn } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

/** A desktop whose link opener records its arguments and what everybody can see of them. */
function desktop() {
  const folder = temporaryFolder()
  const notes = join(folder, 'notes')
  const opener = join(folder, process.platform === 'darwin' ? 'open' : 'xdg-open')
  writeFileSync(opener, `#!/bin/sh\nprintf '%s\\n' "$@" > '${notes}.part'\nmv '${notes}.part' '${notes}'\n`)
  chmodSync(opener, 0o755)
  const env = { PATH: `${folder}:${process.env['PATH']}`, DISPLAY: ':0' }
  const opened = () => expect.poll(() => existsSync(notes)).toBe(true)
  return { env, opened, argument: () => readFileSync(notes, 'utf8').trim() }
}

const pages = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.html'))

describe('countersign inbox', () => {
  it('opens the inbox, and no argument contains the one-time link', async () => {
    const { home, workspace } = await openServiceWorld()
    const { env, opened, argument } = desktop()
    const { stdout } = await runInProcess(['inbox'], { cwd: workspace, home: home.dir, columns: 80, env })
    await opened()
    const ticket = stdout.trim().split('#ticket=')[1] ?? ''
    expect(ticket).not.toBe('')
    expect(argument()).not.toContain(ticket)
    expect(argument()).toMatch(/run\/inbox-[0-9a-f]{16}\.html$/)
    expect(statSync(argument()).mode & 0o777).toBe(0o600)
    expect(readFileSync(argument(), 'utf8')).toContain(`url=${stdout.trim()}`)
  })

  it('opens nothing with `--no-open`, without a desktop, or without a terminal', async () => {
    const { home, workspace } = await openServiceWorld()
    const at = { cwd: workspace, home: home.dir }
    const { env } = desktop()
    await runInProcess(['inbox', '--no-open'], { ...at, columns: 80, env })
    await runInProcess(['inbox'], { ...at, env })
    if (process.platform !== 'darwin') await runInProcess(['inbox'], { ...at, columns: 80 })
    expect(pages(home.run)).toEqual([])
  })

  it('signs out every browser, with and without a service', async () => {
    const { home, service, workspace, fetch } = await openServiceWorld()
    const at = { cwd: workspace, home: home.dir }
    await signIn(service)
    expect((await fetch('/me')).status).toBe(200)
    expect((await runInProcess(['inbox', '--sign-out-all'], at)).stdout).toBe('signed out 2 browsers\n')
    expect((await fetch('/me')).status).toBe(401)
    await signIn(service)
    await service.stop()
    expect(existsSync(signInsPath(home))).toBe(true)
    expect((await runInProcess(['inbox', '--sign-out-all'], at)).stdout).toBe('signed out every browser\n')
    expect(existsSync(signInsPath(home))).toBe(false)
  })
})
