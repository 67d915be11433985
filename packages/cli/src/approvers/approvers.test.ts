import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  approverKeyState,
  decide,
  loadApprover,
  makeEnrolmentCode,
  openApprover,
  openGate,
  openHome,
  spendEnrolmentCode,
} from '@countersign/node'
import { startService } from '@countersign/server'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { openServiceWorld, signIn } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

function newPlace() {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  mkdirSync(home, { mode: 0o700 })
  return { cwd, home }
}

/** A terminal that records its output, with scripted answers. */
function paper(...answers: readonly string[]) {
  let text = ''
  const left = [...answers]
  return {
    text: () => text,
    terminal: {
      columns: 80,
      rows: 24,
      plain: true,
      color: false,
      write(more: string) {
        text += more
      },
      listen(hear: (chunk: string) => void) {
        const answer = left.shift()
        if (answer !== undefined) queueMicrotask(() => hear(answer))
        return () => {}
      },
      close() {},
    },
  }
}

describe('countersign approvers add', () => {
  it('shows the code only on the terminal (A2)', async () => {
    const at = newPlace()
    const { text, terminal } = paper()
    const { stdout, stderr } = await runInProcess(['approvers', 'add'], { ...at, terminal })
    const [code = ''] = /[a-z2-9]{5}-[a-z2-9]{5}/.exec(text()) ?? []
    expect(code).not.toBe('')
    expect(stdout + stderr).not.toContain(code)
    expect(stderr).toContain('start it with `countersign serve`')
    spendEnrolmentCode(openHome(at.home), code, Date.now())
  })

  it('needs a terminal', async () => {
    expect((await runInProcess(['approvers', 'add'], newPlace())).stderr).toContain('[CS_NO_INTERFACE]')
  })
})

describe('countersign approvers remove', () => {
  /** A signed-in browser with an enrolled key. */
  async function enrolled() {
    const world = await openServiceWorld()
    const at = { cwd: world.workspace, home: world.home.dir }
    const code = makeEnrolmentCode(world.home, Date.now())
    const publicKey = randomBytes(32).toString('base64')
    const { approver } = await world.json<{ approver: { id: string } }>('/approvers', {
      json: { name: 'phone', publicKey, code },
    })
    const other = await signIn(world.service)
    const seen = async (cookie = world.cookie) => (await world.fetch('/me', { headers: { cookie } })).status
    return { world, at, id: approver.id, other, seen }
  }

  it('signs out the browsers with that key at once, and no others', async () => {
    const { at, id, other, seen } = await enrolled()
    expect([await seen(), await seen(other)]).toEqual([200, 200])
    expect((await runInProcess(['approvers', 'remove', id], at)).stdout).toMatch(
      /^removed [0-9a-f]{8}, and signed out 1 browser\n$/,
    )
    expect([await seen(), await seen(other)]).toEqual([401, 200])
  })

  it('ends the grants of that key for good, even if it is enrolled again', async () => {
    const at = newPlace()
    writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\nrules:\n  - { tool: jot, supervision: confirm }\n', {
      mode: 0o600,
    })
    const project = join(at.cwd, 'project')
    mkdirSync(project)
    const { gate, desk, home, ports } = await openGate({ home: at.home, workspace: project })
    onTestFinished(() => gate.close())
    const approver = openApprover(home, { name: 'ana' })
    const asked = gate.run({ tool: 'jot', args: {} }, () => 'ran')
    for await (const view of desk.held()) {
      const [{ scope } = { scope: undefined }] = view.offers
      if (scope === undefined) throw new Error('no grant is offered')
      const grant = { scope, lifetime: { kind: 'minutes', minutes: 10 } } as const
      await decide(desk, view, { kind: 'approve', grant }, { approver, surface: 'test', crypto: ports.crypto })
      break
    }
    expect(await asked).toMatchObject({ kind: 'completed' })
    expect(await gate.isConfirmationRequired({ tool: 'jot', args: {} })).toBe(false)
    expect((await runInProcess(['approvers', 'remove', approver.approver.id], at)).stdout).toMatch(
      /, and revoked 1 grant\n$/,
    )
    expect(await gate.isConfirmationRequired({ tool: 'jot', args: {} })).toBe(true)
    expect((await runInProcess(['grants', 'list', '--json'], at)).json()).toEqual([])
    expect((await runInProcess(['journal', 'tail', '-n', '1'], at)).stdout).toContain('grant-revoked')
    openApprover(home, { name: 'ana' })
    expect(await gate.isConfirmationRequired({ tool: 'jot', args: {} })).toBe(true)
  })

  it('signs the browsers out when the next service starts, if none is running', async () => {
    const { world, at, id, other } = await enrolled()
    await world.service.stop()
    expect((await runInProcess(['approvers', 'remove', id, '--json'], at)).json()).toEqual({
      removed: id,
      revoked: 0,
      signedOut: 0,
    })
    const again = await startService({ home: world.home, version: '0.1.0', port: 0 })
    onTestFinished(() => again.stop())
    const seen = async (token: string | undefined) => {
      const cookie = `countersign-${new URL(again.url).port}=${token}`
      return (await fetch(`${again.url}/api/v1/me`, { headers: { cookie } })).status
    }
    const [mine, theirs] = [world.cookie, other].map((cookie) => cookie.split('=')[1])
    expect([await seen(mine), await seen(theirs)]).toEqual([401, 200])
  })
})

describe('countersign approvers seal and unseal', { timeout: 60_000 }, () => {
  it('seal the local key with a passphrase asked for twice, change it, and unseal it', async () => {
    const at = newPlace()
    const home = openHome(at.home)
    const made = openApprover(home, { name: 'ana' }).approver
    const first = paper('correct horse\r', 'correct horse\r')
    const sealed = await runInProcess(['approvers', 'seal'], { ...at, terminal: first.terminal })
    expect(sealed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sealed [0-9a-f]{8} in /) })
    expect(sealed.stderr).toContain('still tier T1')
    expect(first.text() + sealed.stdout + sealed.stderr).not.toContain('horse')
    expect(approverKeyState(home)).toBe('sealed')

    const second = paper('correct horse\r', 'battery staple\r', 'battery staple\r')
    const changed = await runInProcess(['approvers', 'seal'], { ...at, terminal: second.terminal })
    expect(changed.stdout).toMatch(/^changed the passphrase of/)
    const third = paper('battery staple\r')
    const opened = await runInProcess(['approvers', 'unseal'], { ...at, terminal: third.terminal })
    expect(opened.stdout).toMatch(/^unsealed/)
    expect(loadApprover(home)?.approver).toEqual(made)
  })

  it('create a sealed key if there is none, from a file descriptor for scripts', async () => {
    const at = newPlace()
    const path = join(at.cwd, 'passphrase')
    writeFileSync(path, 'correct horse\n', { mode: 0o600 })
    const fd = openSync(path, 'r')
    onTestFinished(() => closeSync(fd))
    const ran = await runInProcess(['approvers', 'seal', '--passphrase-fd', String(fd), '--json'], at)
    expect(ran.json()).toMatchObject({ sealed: true, tier: 'T1' })
    expect((await runInProcess(['approvers', 'list', '--json'], at)).json()).toHaveLength(1)
  })

  it.each([
    ['two different passphrases', ['correct horse\r', 'correct house\r'], 'the passphrases do not match'],
    ['a short passphrase', ['horse\r'], 'the passphrase needs 8 characters or more'],
    ['an endless passphrase', [`${'x'.repeat(2_000)}\r`], 'the passphrase is longer than 1024 bytes'],
    ['an empty passphrase', ['\x1b'], 'no passphrase entered'],
  ])('refuse %s, and leave the key unchanged', async (_, answers, words) => {
    const at = newPlace()
    openApprover(openHome(at.home), { name: 'ana' })
    const { terminal } = paper(...answers)
    const { stderr } = await runInProcess(['approvers', 'seal'], { ...at, terminal })
    expect(stderr).toBe(`countersign: ${words}; the key is unchanged [CS_PASSPHRASE]\n`)
    expect(approverKeyState(openHome(at.home))).toBe('open')
  })

  it('need a terminal or a descriptor, and a sealed key', async () => {
    const at = newPlace()
    expect((await runInProcess(['approvers', 'seal'], at)).stderr).toContain('[CS_NO_INTERFACE]')
    const { terminal } = paper()
    expect((await runInProcess(['approvers', 'unseal'], { ...at, terminal })).stderr).toContain('has no passphrase')
    expect((await runInProcess(['approvers', 'seal', '--passphrase-fd', 'x'], at)).stderr).toContain('[CS_USAGE]')
  })
})

/** The short id of the only held call. */
async function markIn(at: Parameters<typeof runInProcess>[1]): Promise<string> {
  const held = (await runInProcess(['held', '--json'], at)).json() as readonly { readonly mark: string }[]
  return held[0]?.mark ?? ''
}

describe('deciding with a sealed key', { timeout: 60_000 }, () => {
  async function held() {
    const at = newPlace()
    writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\nrules:\n  - { tool: jot, supervision: confirm }\n', {
      mode: 0o600,
    })
    openApprover(openHome(at.home), { name: 'ana', passphrase: 'correct horse' })
    const project = join(at.cwd, 'project')
    mkdirSync(project)
    const { gate } = await openGate({ home: at.home, workspace: project })
    onTestFinished(() => gate.close())
    const asked = gate.ask({ id: 'asked', tool: 'jot', args: {} })
    await expect.poll(async () => (await runInProcess(['held', '--json'], at)).json()).toHaveLength(1)
    return { at, asked, mark: await markIn(at) }
  }

  it('is refused without a terminal, and after three wrong passphrases; the call stays held', async () => {
    const { at, mark } = await held()
    for (const command of ['approve', 'reject'])
      expect((await runInProcess([command, mark], at)).stderr).toMatch(
        /your key needs its passphrase, and there is no terminal .*`--passphrase-fd`: no decision was made, the call is still held \[CS_PASSPHRASE\]/,
      )
    const { terminal, text } = paper('wrong\r', 'wrong\r', 'wrong\r', 'correct horse\r')
    expect((await runInProcess(['approve', mark], { ...at, terminal })).stderr).toContain(
      'wrong passphrase, 3 times; no decision was made, the call is still held [CS_PASSPHRASE]',
    )
    expect(text().match(/try again/g)).toHaveLength(2)
    expect((await runInProcess(['held', '--json'], at)).json()).toHaveLength(1)
  })

  it('works with the passphrase', async () => {
    const { at, asked, mark } = await held()
    const { terminal, text } = paper('wrong\r', 'correct horse\r')
    expect((await runInProcess(['approve', mark], { ...at, terminal })).stdout).toContain('approved by ana')
    expect(text()).not.toContain('horse')
    expect(await asked).toMatchObject({ kind: 'permit' })
  })
})

describe('countersign approve', () => {
  it('refers to the inbox if the policy requires a passkey', async () => {
    const at = newPlace()
    const policy = 'version: 1\ndefaults: { passkey: low }\nrules:\n  - { tool: jot, supervision: confirm }\n'
    writeFileSync(join(at.home, 'policy.yaml'), policy, { mode: 0o600 })
    const project = join(at.cwd, 'project')
    mkdirSync(project)
    const { gate } = await openGate({ home: at.home, workspace: project })
    onTestFinished(() => gate.close())
    void gate.ask({ id: 'asked', tool: 'jot', args: {} })
    await expect.poll(async () => (await runInProcess(['held', '--json'], at)).json()).toHaveLength(1)
    expect((await runInProcess(['held'], at)).stdout).toContain('confirm by passkey')
    expect((await runInProcess(['approve', await markIn(at)], at)).stderr).toMatch(
      /the policy requires a passkey: start the inbox with `countersign serve --home \S+` and approve there \[CS_DECISION_PASSKEY\]/,
    )
    expect((await runInProcess(['reject', await markIn(at)], at)).code).toBe(0)
  })
})
