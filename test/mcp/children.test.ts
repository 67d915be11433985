/** Child processes of a server end with it, however the client disconnects. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@countersign/testing/process-alive'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { initialize, type LinePeer, startPeer } from './support/line-peer.ts'
import { openRelayHome, RECORDING_SERVER } from './support/relay-home.ts'

/** Starts a child that outlives it, then becomes the server. */
const WITH_CHILD = `
const { spawn } = require('node:child_process')
const code = process.env.STUBBORN ? 'process.on("SIGTERM", () => {})' : ''
const child = spawn(process.execPath, ['-e', code + ';process.send("up");setInterval(() => {}, 1000)'], {
  stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
})
child.once('message', () => {
  require('node:fs').writeFileSync(process.env.CHILD, String(child.pid))
  child.disconnect()
  child.unref()
  require('node:module').createRequire(process.env.SERVER)(process.env.SERVER)
})
`

/** A proxy in front of a server with a child process. */
async function start(env: NodeJS.ProcessEnv): Promise<{ readonly peer: LinePeer; readonly child: number }> {
  const home = openRelayHome(temporaryFolder())
  onTestFinished(() => home.close())
  const [program, file] = [join(home.root, 'with-child.cjs'), join(home.root, 'child')]
  writeFileSync(program, WITH_CHILD)
  const [node = process.execPath, ...flags] = RECORDING_SERVER
  const server = flags.at(-1) ?? ''
  const peer = startPeer(
    home.relay('parent', [node, '--no-warnings', program], [], { CHILD: file, SERVER: server, ...env }),
  )
  await initialize(peer)
  await until('the child to be there', () => existsSync(file) && readFileSync(file, 'utf8') !== '')
  const child = Number(readFileSync(file, 'utf8'))
  onTestFinished(() => {
    if (isAlive(child)) process.kill(child, 'SIGKILL')
  })
  expect(isAlive(child)).toBe(true)
  return { peer, child }
}

const WAYS: readonly ((peer: LinePeer) => void)[] = [
  ({ child }) => child.stdin?.end(),
  // Closes both directions.
  ({ child: { stdin, stdout } }) => [stdin, stdout].map((pipe) => pipe?.destroy()),
  ({ child }) => child.kill('SIGTERM'),
]

describe('the child processes of a server', () => {
  it.each([
    ['exit on request', {}],
    ['ignore the request', { STUBBORN: '1' }],
  ])(
    'end when the client disconnects in any way, also if they %s',
    async (_, env) => {
      await Promise.all(
        WAYS.map(async (goAway) => {
          const { peer, child } = await start(env)
          goAway(peer)
          await peer.ended
          await until('the child to end', () => !isAlive(child))
        }),
      )
    },
    60_000,
  )
})
