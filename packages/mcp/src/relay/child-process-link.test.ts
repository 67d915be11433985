import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openChildLink } from './child-process-link.ts'
import type { LinkEnd } from './server-link.ts'

/** Starts a server that runs this program, and prints `ready` on a line. */
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

describe('a server in a child process', () => {
  afterEach(() => void vi.useRealTimers())

  it('is ended if it closed its output and keeps running: nobody waits forever for its answers', async () => {
    const { ended } = await open(`process.stdout.write('ready\\n', () => require('node:fs').closeSync(1))`)
    expect(await ended).toMatchObject({ why: 'the server closed its output' })
  })

  it('is killed before the client would kill us, even if it ignores SIGTERM', async () => {
    const { link, ended } = await open(`process.on('SIGTERM', () => {}); process.stdout.write('ready\\n')`)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    void link.stop()
    vi.advanceTimersByTime(1000)
    expect(await ended).toMatchObject({ why: 'the server was ended by SIGKILL' })
  })
})
