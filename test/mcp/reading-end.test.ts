/** A client that keeps writing but closes its end of the proxy's stdout while a call is held. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstMessage, initialize, startPeer } from './support/line-peer.ts'
import { type RecordedServer, recordedServer } from './support/recorded-server.ts'
import { openRelayHome, type RelayHome } from './support/relay-home.ts'

const POLICY = 'version: 1\nrules:\n  - { tool: "*/note", supervision: confirm }\n'
const CALL = { id: 1, method: 'tools/call', params: { name: 'note', arguments: { text: 'x' } } }

interface World {
  readonly home: RelayHome
  readonly server: RecordedServer
}

function open(): World {
  const home = openRelayHome(temporaryFolder(), POLICY)
  onTestFinished(() => home.close())
  return { home, server: recordedServer(home, 'recording') }
}

function send(child: ChildProcess, message: object): void {
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

/** The proxy with other streams than Node would create. */
function start({ server }: World, stdout: number | Socket, stdin: 'pipe' | Socket = 'pipe'): ChildProcess {
  const [program = '', ...args] = server.command.argv
  const { cwd, env } = server.command
  const child = spawn(program, args, { cwd, env, stdio: [stdin, stdout, 'ignore'] })
  child.stdin?.on('error', () => {})
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

function endOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => child.once('exit', resolve))
}

/** INVARIANT: the call is withdrawn, and approving it now runs nothing. */
async function expectWithdrawn({ home, server }: World, view: Parameters<RelayHome['decide']>[0] | undefined) {
  const kinds = (await home.entries()).map((entry) => entry['kind'] ?? entry['outcome'])
  expect(kinds).toContain('withdrawn')
  expect(await home.held(0)).toEqual([])
  if (view !== undefined) await home.decide(view, { kind: 'approve' })
  expect(server.effects()).toEqual([])
}

/** Both ends of a socket; the first is for a child. */
async function socketPair(): Promise<readonly [theirs: Socket, ours: Socket]> {
  const path = join(temporaryFolder(), 'socket')
  const listening = createServer({ allowHalfOpen: true })
  onTestFinished(() => void listening.close())
  const accepted = new Promise<Socket>((resolve) => listening.once('connection', resolve))
  await new Promise<void>((resolve) => listening.listen(path, resolve))
  const theirs = connect({ path, allowHalfOpen: true })
  await new Promise((resolve) => theirs.once('connect', resolve))
  return [theirs, await accepted]
}

describe('a client that closes its reading end while a call is held', () => {
  it('ends the call at once if stdout is a socket, as Node creates it', async () => {
    const world = open()
    const peer = startPeer(world.server.command)
    await initialize(peer)
    peer.send(CALL)
    const [view] = await world.home.held(1)
    const ended = endOf(peer.child)
    peer.child.stdout?.destroy()
    await ended
    await expectWithdrawn(world, view)
  }, 60_000)

  it('keeps the call while only the unused direction is shut down, and ends it on close', async () => {
    const world = open()
    const [theirs, ours] = await socketPair()
    const child = start(world, theirs)
    theirs.destroy()
    ours.end()
    const heard = new Promise((resolve) => ours.once('data', resolve))
    send(child, firstMessage())
    await heard
    send(child, CALL)
    const [view] = await world.home.held(1)
    const ended = endOf(child)
    ours.destroy()
    await ended
    await expectWithdrawn(world, view)
  }, 60_000)

  it('ends the call with the next message if stdout is a plain pipe', async () => {
    const world = open()
    const path = join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [path])
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writing = openSync(path, constants.O_WRONLY)
    const child = start(world, writing)
    closeSync(writing)
    send(child, firstMessage())
    send(child, CALL)
    const [view] = await world.home.held(1)
    const ended = endOf(child)
    closeSync(reading)
    send(child, { id: 2, method: 'ping' })
    await ended
    await expectWithdrawn(world, view)
  }, 60_000)

  it('ends the call when its input ends, and loses no message, if stdin and stdout are one socket', async () => {
    const world = open()
    const [theirs, ours] = await socketPair()
    const child = start(world, theirs, theirs)
    theirs.destroy()
    const heard = new Promise((resolve) => ours.once('data', resolve))
    for (const message of [firstMessage(), CALL]) ours.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    await heard
    const [view] = await world.home.held(1)
    const ended = endOf(child)
    ours.destroy()
    await ended
    await expectWithdrawn(world, view)
  }, 60_000)
})
