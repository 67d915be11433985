import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectGate, openHome, type ServiceStatus } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf, startCli } from '@countersign/testing/command/spawn-cli'
import { listTools } from '@countersign/testing/gate/pinned-tools'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const PATIENCE = { timeout: 60_000 }

function newPlace() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\nrules:\n  - { tool: jot, supervision: confirm }\n', {
    mode: 0o600,
  })
  return { ...at, folder, run: (...words: readonly string[]) => runInProcess(words, at) }
}

/** The short id of a held call. */
async function markIn({ run }: ReturnType<typeof newPlace>, id: string): Promise<string> {
  const held = (await run('held', '--json')).json() as readonly { readonly id: string; readonly mark: string }[]
  return held.find((call) => call.id === id)?.mark ?? ''
}

/** Starts `countersign serve` in its own process; returns its status once it responds. */
async function serve(place: { cwd: string; home: string }, ...flags: readonly string[]) {
  const child = startCli(['serve', '--home', place.home, '--json', '--port', '0', ...flags], place.cwd)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = endOf(child)
  const status = await new Promise<ServiceStatus>((resolve, reject) => {
    child.stdout?.once('data', (line: string) => resolve(JSON.parse(line) as ServiceStatus))
    void ended.then(({ stderr }) => reject(new Error(stderr)))
  })
  return { child, status, ended }
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

describe('countersign serve, status, inbox and stop', () => {
  it('report the URL, print a link, and stop the service', PATIENCE, async () => {
    const place = newPlace()
    expect(await place.run('status')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the service is not running'),
    })
    expect((await place.run('inbox')).stderr).toContain('start it with `countersign serve` [CS_SERVICE]')
    expect((await place.run('stop')).stderr).toContain('nothing to stop [CS_SERVICE]')
    const { status, ended } = await serve(place)
    expect((await place.run('status', '--json')).json()).toMatchObject({ pid: status.pid, url: status.url, held: 0 })
    expect((await place.run('status')).stdout).toContain(status.url)
    const { link } = (await place.run('inbox', '--json')).json() as { link: string }
    expect(link).toMatch(new RegExp(`^${status.url}/#ticket=[\\w-]{32}$`))
    expect((await place.run('serve')).stderr).toContain('already runs on this home')
    expect((await place.run('stop')).code).toBe(0)
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringContaining('service stopped') })
    expect((await place.run('status')).code).toBe(1)
  })

  it('show quarantined tools of a proxy to a signed-in person', PATIENCE, async () => {
    const place = newPlace()
    const { status } = await serve(place)
    const home = openHome(place.home)
    const tool = { name: 'read', description: 'Reads a note.' }
    await listTools(home, [tool])
    await listTools(home, [{ ...tool, description: 'Reads every note.' }])
    const { link } = (await place.run('inbox', '--json')).json() as { link: string }
    const headers = { origin: status.url, 'content-type': 'application/json' }
    const body = JSON.stringify({ ticket: new URL(link).hash.slice('#ticket='.length) })
    const entered = await fetch(`${status.url}/api/v1/sign-in`, { method: 'POST', headers, body })
    const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const answer = await fetch(`${status.url}/api/v1/quarantine`, { headers: { cookie } })
    expect(await answer.json()).toMatchObject({
      waiting: [{ label: 'tracker', name: 'read', command: `countersign mcp accept tracker --home ${home.dir}` }],
    })
  })

  it('decide calls of the service with the same commands as without one', PATIENCE, async () => {
    const place = newPlace()
    const { status } = await serve(place)
    const gate = await connectGate({
      address: { socket: status.socket },
      workspace: place.cwd,
      version: '0.1.0',
      label: 'coder',
    })
    const [yes, no] = ['yes', 'no'].map((id) => gate.ask({ id: `${id}-to-this`, tool: 'jot', args: { id } }))
    await expect.poll(async () => ((await place.run('held', '--json')).json() as unknown[]).length).toBe(2)
    expect((await place.run('held')).stdout).toContain('jot by coder')
    expect(
      (await place.run('approve', await markIn(place, 'yes-to-this'), '--grant', 'exact', '--for', '10m')).code,
    ).toBe(0)
    expect((await place.run('reject', await markIn(place, 'no-to-this'), '--reason', 'later')).code).toBe(0)
    expect(await yes).toMatchObject({ kind: 'permit' })
    expect(await no).toMatchObject({ kind: 'refusal', outcome: 'rejected', reason: 'later' })
    const [grant] = (await place.run('grants', 'list', '--json')).json() as { id: string }[]
    expect((await place.run('grants', 'revoke', grant?.id ?? '')).code).toBe(0)
    gate.close()
  })

  it('after a kill, show submitted calls again, end asked ones, and run nothing', PATIENCE, async () => {
    const place = newPlace()
    const first = await serve(place)
    const at = { workspace: place.cwd, version: '0.1.0' }
    const gate = await connectGate({ ...at, address: { socket: first.status.socket } })
    const asked = gate.ask({ id: 'asked-once', tool: 'jot', args: {} })
    const ticket = await gate.submit({ id: 'submitted', tool: 'jot', args: { n: 'x' } })
    await expect.poll(async () => ((await place.run('held', '--json')).json() as unknown[]).length).toBe(2)
    await kill(first.child)
    expect(await asked).toMatchObject({ kind: 'refusal', code: 'CS_SERVICE_GONE' })
    const second = await serve(place)
    expect((await place.run('held', '--json')).json()).toMatchObject([{ id: 'submitted' }])
    const again = await connectGate({ ...at, address: { socket: second.status.socket } })
    const waited = again.wait(ticket)
    expect((await place.run('approve', await markIn(place, 'submitted'))).code).toBe(0)
    expect(await waited).toMatchObject({ kind: 'permit', callId: 'submitted' })
    expect((await place.run('history', '--json', '--outcome', 'withdrawn')).json()).toMatchObject([
      { id: 'asked-once' },
    ])
    expect((await place.run('journal', 'verify')).code).toBe(0)
    again.close()
  })
})

describe('countersign approvers', () => {
  it('lists and removes keys, and prints a code on a terminal only', PATIENCE, async () => {
    const place = newPlace()
    const { openApprover, openHome } = await import('@countersign/node')
    const { approver } = openApprover(openHome(place.home), { name: 'ana' })
    expect((await place.run('approvers', 'list', '--json')).json()).toEqual([
      { id: approver.id, name: 'ana', kind: 'ed25519' },
    ])
    expect(await place.run('approvers', 'add')).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('only on a terminal; run this command in one [CS_NO_INTERFACE]'),
    })
    expect((await place.run('approvers', 'remove', approver.id.slice(0, 8))).stdout).toContain('removed')
    expect((await place.run('approvers', 'list')).stderr).toContain('no keys are enrolled')
    expect((await place.run('journal', 'tail')).stdout).toContain('key-removed')
  })
})

const NOBODY = '65534'
const CLI = [
  '--conditions=countersign-source',
  '--no-warnings',
  fileURLToPath(new URL('../../packages/cli/src/entry.ts', import.meta.url)),
]
const AS_NOBODY = ['--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', '--']

/** Why a second user is impossible here; null if possible. */
const alone =
  process.getuid?.() !== 0
    ? 'skipped: only root can become another user'
    : spawnSync('setpriv', [...AS_NOBODY, process.execPath, ...CLI, '--version'], { cwd: '/' }).status !== 0
      ? 'skipped: no setpriv, or another user cannot read this repository'
      : null

/** A program that tries everything an asker's user could. */
const INTRUDER = `
import { readFileSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
const [home, socket, url, pid, workspace] = process.argv.slice(1)
const tries = {}
const attempt = async (name, work) => { try { tries[name] = await work() ?? 'done' } catch (error) { tries[name] = error.code ?? error.message } }
const talk = (path, lines) => new Promise((resolve, reject) => {
  const open = createConnection(path); let said = ''
  open.on('error', reject); open.on('data', (chunk) => { said += chunk }); open.on('close', () => resolve(said))
  open.end(lines.map((line) => JSON.stringify(line) + '\\n').join(''))
})
const hello = { hello: { protocol: 1, version: '0.1.0', workspace } }
const post = async (path, body, method = 'POST') => (await fetch(url + '/api/v1' + path, { method, headers: { origin: url, 'content-type': 'application/json' }, ...(method === 'GET' ? {} : { body: JSON.stringify(body) }) })).status
await attempt('ask', async () => (await talk(socket, [hello, { id: 1, do: 'required', call: { tool: 'jot', args: {} } }])).includes('"required":true'))
for (const what of ['decide', 'held', 'journal', 'policy', 'enrol', 'stop', 'grants'])
  await attempt('socket ' + what, async () => (await talk(socket, [hello, { id: 1, do: what, held: 'theirs' }])).includes('CS_ASKER'))
await attempt('withdraw', async () => (await talk(socket, [hello, { id: 1, do: 'withdraw', callId: 'theirs', key: 'x' }])).includes('CS_TICKET_UNKNOWN'))
await attempt('control', () => talk(home + '/run/control.sock', [{ do: 'stop' }]))
for (const file of ['store.db', 'policy.yaml', 'approvers.json', 'keys/gate.key', 'keys/approver.key', 'run/sessions.json', 'enrolment.json'])
  await attempt('read ' + file, () => { readFileSync(home + '/' + file) })
for (const file of ['policy.yaml', 'approvers.json', 'enrolment.json', 'store.db'])
  await attempt('write ' + file, () => { writeFileSync(home + '/' + file, '') })
await attempt('kill', () => { process.kill(Number(pid), 'SIGTERM') })
await attempt('list', () => post('/held', undefined, 'GET'))
await attempt('stream', () => post('/stream', undefined, 'GET'))
await attempt('decide', () => post('/held/theirs/decision', {}))
await attempt('enrolment', () => post('/approvers', { name: 'x', publicKey: 'x', code: 'x' }))
await attempt('history', () => post('/journal', undefined, 'GET'))
console.log(JSON.stringify(tries))
`

describe('another user with access to the agents’ socket only', () => {
  it.skipIf(alone !== null)(
    `can ask, but not decide, list, enrol, read or stop (A2, A3) ${alone ?? ''}`,
    PATIENCE,
    async () => {
      const place = newPlace()
      chmodSync(place.folder, 0o755)
      const socket = join(place.folder, 'asking.sock')
      const { status } = await serve(place, '--socket', socket, '--group', NOBODY)
      const gate = await connectGate({ address: { socket }, workspace: place.cwd, version: '0.1.0' })
      void gate.ask({ id: 'theirs', tool: 'jot', args: { secret: 'x' } })
      await expect.poll(async () => ((await place.run('held', '--json')).json() as unknown[]).length).toBe(1)
      const args = [place.home, socket, status.url, String(status.pid), place.cwd]
      const intruder = spawn(
        'setpriv',
        [...AS_NOBODY, process.execPath, '--input-type=module', '--eval', INTRUDER, '--', ...args],
        { cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] },
      )
      const { stdout, stderr } = await endOf(intruder)
      expect(stderr).toBe('')
      const tries = JSON.parse(stdout) as Record<string, unknown>
      expect(tries['ask']).toBe(true)
      for (const [name, came] of Object.entries(tries)) {
        if (name === 'ask' || name.startsWith('socket ') || name === 'withdraw')
          expect({ name, came }).toEqual({ name, came: true })
        else if (name === 'kill') expect(came).toBe('EPERM')
        else if (typeof came === 'number') expect({ name, came }).toEqual({ name, came: 401 })
        else expect({ name, came }).toEqual({ name, came: 'EACCES' })
      }
      expect((await place.run('held', '--json')).json()).toMatchObject([{ id: 'theirs' }])
      expect((await place.run('status')).code).toBe(0)
      const where = ['--home', place.home, '--socket', socket, '--url', status.url]
      const doctor = spawn('setpriv', [...AS_NOBODY, process.execPath, ...CLI, 'doctor', '--json', ...where], {
        cwd: place.cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const found = JSON.parse((await endOf(doctor)).stdout) as { tier: string; missing: readonly string[] }
      expect(found).toMatchObject({ tier: 'T2', as: 'asker', missing: [expect.stringContaining('passkey')] })
      gate.close()
    },
  )
})
