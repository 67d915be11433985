import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApprover, openHome } from '@countersign/node'
import { findPtyMaker, onTerminal, startOnTerminal } from '@countersign/testing/command/pty'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { spawnBash } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const PASSPHRASE = 'correct horse'
const maker = findPtyMaker()

function place() {
  const folder = temporaryFolder()
  const [cwd, home] = [join(folder, 'project'), join(folder, 'home')]
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(cwd, 'x'), 'precious')
  return {
    cwd,
    home,
    seal: () => openApprover(openHome(home), { name: 'ana', passphrase: PASSPHRASE }),
    isThere: () => existsSync(join(cwd, 'x')),
    /** A sh line on its own terminal. */
    start(line: string) {
      if (maker === null) throw new Error('no terminal')
      const terminal = startOnTerminal(`countersign --home '${home}' ${line}`, maker, { cwd })
      onTestFinished(() => void terminal.child.kill('SIGKILL'))
      return terminal
    },
    async held(): Promise<string> {
      const { stdout } = await runInProcess(['held', '--json'], { cwd, home })
      return (JSON.parse(stdout) as readonly { readonly mark: string }[])[0]?.mark ?? ''
    },
  }
}

describe.skipIf(maker === null)(onTerminal('a sealed key on a terminal', maker), { timeout: 90_000 }, () => {
  it('is sealed there, and the passphrase is neither printed nor stored', async () => {
    const at = place()
    openApprover(openHome(at.home), { name: 'ana' })
    const path = join(at.home, 'keys', 'approver.key')
    const { seed } = JSON.parse(readFileSync(path, 'utf8')) as { readonly seed: string }
    const terminal = at.start('approvers seal')
    await terminal.shows('new passphrase:')
    terminal.type(`${PASSPHRASE}\r`)
    await terminal.shows('repeat it:')
    terminal.type(`${PASSPHRASE}\r`)
    const { code, screen } = await terminal.ended
    expect(code).toBe(0)
    expect(screen).toContain('still tier T1')
    expect(terminal.raw()).not.toContain('horse')
    expect(readFileSync(path, 'utf8')).not.toContain(seed)
  })

  it('asks for the passphrase at the exec prompt before the command runs', async () => {
    const at = place()
    at.seal()
    const terminal = at.start('exec -- "rm x; echo gone"')
    await terminal.shows('[Approve]')
    terminal.type('y')
    await terminal.shows('passphrase (not shown):')
    terminal.type('wrong horse\r')
    await terminal.shows('wrong passphrase; 2 tries left')
    expect(at.isThere()).toBe(true)
    terminal.type(`${PASSPHRASE}\r`)
    const { code, screen } = await terminal.ended
    expect(screen).toMatch(/approved by ana[^\n]*\n[\s\S]*gone/)
    expect(terminal.raw()).not.toContain('horse')
    expect(code).toBe(0)
  })

  it('leaves the call held after three wrong passphrases, and a script with the right one can approve it', async () => {
    const at = place()
    at.seal()
    const terminal = at.start('exec -- "rm x; echo gone"')
    await terminal.shows('[Approve]')
    terminal.type('y')
    for (const words of ['passphrase (not shown):', '2 tries left', '1 try left']) {
      await terminal.shows(words)
      terminal.type('wrong horse\r')
    }
    await terminal.shows(/no decision was made[\s\S]*held as/)
    expect(at.isThere()).toBe(true)
    const id = await at.held()
    const without = await spawnBash(`countersign approve ${id} --home '${at.home}'`, at.cwd, at.home)
    expect(without).toMatchObject({ code: 125, stderr: expect.stringContaining('still held [CS_PASSPHRASE]') })
    const wrong = await spawnBash(
      `countersign approve ${id} --home '${at.home}' --passphrase-fd 3 3<<< 'wrong horse'`,
      at.cwd,
      at.home,
    )
    expect(wrong).toMatchObject({ code: 125, stderr: expect.stringContaining('[CS_PASSPHRASE]') })
    const right = await spawnBash(
      `countersign approve ${id} --home '${at.home}' --passphrase-fd 0 <<< '${PASSPHRASE}'`,
      at.cwd,
      at.home,
    )
    expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining('approved by ana') })
    expect(await terminal.ended).toMatchObject({ code: 0, screen: expect.stringContaining('gone') })
  })

  it('asks for the passphrase after approve’s second confirmation, and before reject', async () => {
    const at = place()
    at.seal()
    const asking = at.start('exec -- "git reset --hard; exit 5"')
    await asking.shows('[Reject]')
    const approving = at.start(`approve ${await at.held()}`)
    await approving.shows('press y again to approve')
    approving.type('y')
    await approving.shows('passphrase (not shown):')
    approving.type(`${PASSPHRASE}\r`)
    expect((await approving.ended).code).toBe(0)
    expect((await asking.ended).code).toBe(5)

    const again = at.start('exec -- "rm x"')
    await again.shows('[Approve]')
    const rejecting = at.start(`reject ${await at.held()}`)
    await rejecting.shows('passphrase of your key (not shown):')
    rejecting.type(`${PASSPHRASE}\r`)
    expect(await rejecting.ended).toMatchObject({ code: 0, screen: expect.stringContaining('rejected by ana') })
    expect((await again.ended).code).toBe(120)
    expect(rejecting.raw() + approving.raw()).not.toContain('horse')
  })

  it('needs no passphrase if only a passkey can approve, until somebody rejects', async () => {
    const at = place()
    at.seal()
    writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\ndefaults: { passkey: low }\n', { mode: 0o600 })
    const terminal = at.start('exec -- "rm x"')
    await terminal.shows('the policy requires a passkey: start the inbox with')
    await terminal.shows('[Reject]  approve: inbox')
    terminal.type('y')
    await terminal.shows('the policy requires a passkey: approve in the inbox')
    terminal.type('n')
    await terminal.shows('passphrase (not shown):')
    terminal.type(`${PASSPHRASE}\r`)
    expect((await terminal.ended).code).toBe(120)
    expect(at.isThere()).toBe(true)
  })
})
