import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { openView, signDecision } from '@countersign/core'
import { openApprover, openGate, openHome, type ServiceStatus } from '@countersign/node'
import { COMMAND, COMMAND_ENV } from '@countersign/testing/command/command'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf } from '@countersign/testing/command/spawn-cli'
import { SECRET } from '@countersign/testing/inbox/scenario'
import { openReceiver, type Receiver } from '@countersign/testing/notify/receiver'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const PATIENCE = { timeout: 120_000 }

/** A home with a policy that holds every `jot`, a folder of programs, and a gate that asks. */
async function newPlace() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  const programs = join(folder, 'programs')
  for (const one of [at.cwd, programs]) mkdirSync(one)
  const home = openHome(at.home)
  const policy = 'version: 1\ndefaults: { timeout: 2m }\nrules:\n  - { tool: jot, supervision: confirm }\n'
  writeFileSync(home.policy, policy, { mode: 0o600 })
  const opened = await openGate({ home, workspace: at.cwd })
  onTestFinished(() => opened.gate.close())
  const run = (...words: readonly string[]) => runInProcess(words, at)

  async function serve(...flags: readonly string[]) {
    const env = { ...COMMAND_ENV, PATH: `${programs}${delimiter}${process.env['PATH'] ?? ''}` }
    const words = ['serve', '--home', at.home, '--json', '--port', '0', ...flags]
    const child = spawn(process.execPath, [...COMMAND, ...words], { cwd: at.cwd, env, detached: true, stdio: 'pipe' })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = endOf(child)
    const status = await new Promise<ServiceStatus>((resolve, reject) => {
      child.stdout.once('data', (line: string) => resolve(JSON.parse(line) as ServiceStatus))
      void ended.then(({ stderr }) => reject(new Error(stderr)))
    })
    return { child, status, ended }
  }

  /** Approves a held call as from a terminal. */
  async function approve(id: string): Promise<void> {
    const view = await until('the held call', () => opened.desk.view(id))
    const { signer } = openApprover(home, { name: 'Ana' })
    const shown = openView(view, opened.ports.crypto)
    const signed = signDecision(shown, { kind: 'approve' }, signer, { surface: 'terminal', at: Date.now() })
    expect((await opened.desk.decide(id, signed)).accepted).toBe(true)
  }

  return { ...at, homeAt: home, opened, programs, run, serve, approve }
}

const jot = (text: string) => ({ tool: 'jot', source: 'custom' as const, agent: { name: 'coder' }, args: { text } })
const texts = (receiver: Receiver): string => receiver.got.map(({ body }) => body.toString()).join('\n')
const ids = (receiver: Receiver) => new Set(receiver.got.map(({ headers }) => headers['webhook-id']))

describe('notifications of held calls', () => {
  it('survive a killed service: the message is sent after the restart, under its id and once', PATIENCE, async () => {
    const place = await newPlace()
    const receiver = await openReceiver()
    receiver.answer({ status: 503 })
    await place.run('notify', 'add', 'webhook', `${receiver.url}/hook`)
    await place.run('notify', 'set', 'merge', '1s')
    const { child } = await place.serve()
    const ticket = await place.opened.gate.submit(jot('x'))
    await until('the first attempt', () => receiver.got.length > 0)
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    receiver.answer({ status: 204 })
    await place.serve()
    const sent = async () => {
      const status = (await place.run('notify', 'status', '--json')).json() as { channels: { sent: number }[] }
      return status.channels[0]?.sent === 1
    }
    await until('the message', sent)
    expect(ids(receiver).size).toBe(1)
    await place.opened.gate.withdraw(ticket)
    await until('the receipt', () => texts(receiver).includes('call.closed'))
    expect(ids(receiver).size).toBe(2)
  })

  it(
    'lead to the public URL, and never contain a secret of the arguments, also when the summary is allowed',
    PATIENCE,
    async () => {
      const place = await newPlace()
      const receiver = await openReceiver()
      await place.run('notify', 'add', 'webhook', `${receiver.url}/hook`)
      await place.run('notify', 'add', 'ntfy', `${receiver.url}/topic`)
      await place.run('notify', 'set', 'merge', '1s')
      await place.run('notify', 'set', 'details', 'summary')
      await place.serve('--public-url', 'https://gate.example')
      const ticket = await place.opened.gate.submit({ ...jot(`token ${SECRET} the-argument`), said: 'the-words' })
      await until('both', () => receiver.got.length >= 2)
      expect(texts(receiver)).not.toContain(SECRET)
      expect(texts(receiver)).not.toContain('the-words')
      expect(texts(receiver)).toContain(`"click":"https://gate.example/held/${ticket.callId}"`)
      await place.opened.gate.withdraw(ticket)
    },
  )

  it('do not delay a decision or its call while a channel hangs', PATIENCE, async () => {
    const place = await newPlace()
    const receiver = await openReceiver()
    receiver.answer('hang')
    await place.run('notify', 'add', 'webhook', `${receiver.url}/hook`)
    await place.run('notify', 'set', 'merge', '1s')
    await place.serve()
    const ticket = await place.opened.gate.submit(jot('x'))
    await until('the attempt', () => receiver.got.length === 1)
    await place.approve(ticket.callId)
    const permit = await place.opened.gate.wait(ticket)
    expect(permit.kind).toBe('permit')
    if (permit.kind === 'permit') await place.opened.gate.settle(permit, 'completed')
    expect(receiver.got).toHaveLength(1) // still waiting for its answer
  })

  it('appear on the desktop by its own program, with the text as one argument', PATIENCE, async () => {
    const place = await newPlace()
    const shown = join(place.cwd, 'shown')
    const program = join(place.programs, process.platform === 'darwin' ? 'osascript' : 'notify-send')
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" >> '${shown}'\n`)
    chmodSync(program, 0o755)
    await place.run('notify', 'add', 'desktop')
    await place.run('notify', 'set', 'merge', '1s')
    await place.serve()
    const ticket = await place.opened.gate.submit({ ...jot('the-argument'), tool: 'jot' })
    const text = await until('the notification', () => {
      const told = existsSync(shown) ? readFileSync(shown, 'utf8') : ''
      return told.includes(' left') && told
    })
    expect(text).toMatch(/(?:LOW|MEDIUM|HIGH) jot\nAgent coder · \d+ (?:s|min) left/)
    expect(text).not.toContain('the-argument')
    await place.opened.gate.withdraw(ticket)
  })

  it('are sent once a channel is added to a running service, and not before', PATIENCE, async () => {
    const place = await newPlace()
    await place.serve()
    const ticket = await place.opened.gate.submit(jot('x'))
    expect(existsSync(place.homeAt.outbox)).toBe(false)
    const receiver = await openReceiver()
    await place.run('notify', 'add', 'ntfy', `${receiver.url}/topic`)
    await until('the notification', () => receiver.got.length === 1)
    await place.opened.gate.withdraw(ticket)
  })
})
