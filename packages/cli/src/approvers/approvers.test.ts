import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate, openHome, spendEnrolmentCode } from '@countersign/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runInProcess } from '../../../../test/support/run-in-process.ts'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'

function newPlace() {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  mkdirSync(home, { mode: 0o700 })
  return { cwd, home }
}

/** A terminal that remembers what was written on it. */
function paper() {
  let text = ''
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
      listen: () => () => {},
      close() {},
    },
  }
}

describe('countersign approvers add', () => {
  it('shows the code on the terminal and nowhere else (A2)', async () => {
    const at = newPlace()
    const { text, terminal } = paper()
    const { stdout, stderr } = await runInProcess(['approvers', 'add'], { ...at, terminal })
    const [code = ''] = /[a-z2-9]{5}-[a-z2-9]{5}/.exec(text()) ?? []
    expect(code).not.toBe('')
    expect(stdout + stderr).not.toContain(code)
    expect(stderr).toContain('start one with `countersign serve`')
    spendEnrolmentCode(openHome(at.home), code, Date.now())
  })

  it('needs a terminal', async () => {
    expect((await runInProcess(['approvers', 'add'], newPlace())).stderr).toContain('[CS_NO_INTERFACE]')
  })
})

describe('countersign approve', () => {
  it('sends a person to the inbox where policy demands a passkey', async () => {
    const at = newPlace()
    const policy = 'version: 1\ndefaults: { passkey: low }\nrules:\n  - { tool: jot, supervision: confirm }\n'
    writeFileSync(join(at.home, 'policy.yaml'), policy, { mode: 0o600 })
    const project = join(at.cwd, 'project')
    mkdirSync(project)
    const { gate } = await openGate({ home: at.home, workspace: project })
    onTestFinished(() => gate.close())
    void gate.ask({ id: 'asked', tool: 'jot', args: {} })
    await expect.poll(async () => (await runInProcess(['held', '--json'], at)).json()).toHaveLength(1)
    expect((await runInProcess(['approve', 'asked'], at)).stderr).toContain('`countersign inbox` [CS_DECISION_PASSKEY]')
    expect((await runInProcess(['reject', 'asked'], at)).code).toBe(0)
  })
})
