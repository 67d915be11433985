import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openChildLink } from './child-process-link.ts'
import type { LinkEnd } from './server-link.ts'

/** Starts a server that runs this program, and says `ready` on a line. */
async function open(program: string) {
  const { promise: ended, resolve: end } = Promise.withResolvers<LinkEnd>()
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  const link = openChildLink({
    command: process.execPath,
    args: ['-e', `${program};setInterval(() => {}, 1000)`],
    cwd: process.cwd(),
    env: process.env,
    maxLineBytes: 1000,
  })
  onTestFinished(() => link.stop())
  link.start({ messages: () => isReady(), tooLong() {}, lost() {}, drained() {}, ended: end })
  await ready
  return { link, ended }
}

describe('a server that is a process', () => {
  afterEach(() => void vi.useRealTimers())

  it('is ended when it closed its output and lives on: nobody it owes an answer waits for ever', async () => {
    const { ended } = await open(`process.stdout.write('ready\\n', () => require('node:fs').closeSync(1))`)
    expect(await ended).toMatchObject({ why: 'the server closed its output' })
  })

  it('is gone before a client that ends us insists, however stubborn it is', async () => {
    const { link, ended } = await open(`process.on('SIGTERM', () => {}); process.stdout.write('ready\\n')`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    void link.stop()
    vi.advanceTimersByTime(1000)
    expect(await ended).toMatchObject({ why: 'the server was ended by SIGKILL' })
  })
})
