import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openView, signDecision, type Ticket } from '@countersign/core'
import { openApprover, openGate, openHome, readStoreSetting } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY =
  'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n  - { tool: ship, supervision: confirm, timeout: 1h }\n'

describe.skipIf(missingPostgres())('countersign store copy', () => {
  const server = usePostgres()

  /** A home with a history, an approver and a submitted call that waits for a decision. */
  async function used() {
    const cwd = temporaryFolder()
    const home = join(cwd, 'home')
    writeFileSync(openHome(home).policy, POLICY, { mode: 0o600 })
    const workspace = join(cwd, 'project')
    mkdirSync(workspace)
    const { approver, signer } = openApprover(openHome(home), { name: 'ana' })
    const open = async () => {
      const opened = await openGate({ home, workspace })
      onTestFinished(() => opened.gate.close().catch(() => {}))
      return opened
    }
    const run = (...words: readonly string[]) => runInProcess(words, { cwd, home })
    const { gate } = await open()
    for (let n = 0; n < 3; n += 1) await gate.run({ tool: 'jot', args: { n } }, () => 'ran')
    const ticket = await gate.submit({ tool: 'ship', args: { n: 1, text: 'nul \0 and sub \x1a' } })
    await gate.close()
    return { cwd, home, run, open, ticket, approver, signer, address: server.freshAddress() }
  }

  type Used = Awaited<ReturnType<typeof used>>

  /** Approves the submitted call, and collects its permit. */
  async function decide({ open, signer }: Used, ticket: Ticket) {
    const { gate, desk, ports } = await open()
    const view = await until('the held call', async () => (await desk.list())[0])
    const at = Date.now()
    const decision = signDecision(openView(view, ports.crypto), { kind: 'approve' }, signer, { surface: 'test', at })
    await desk.decide(view.id, decision)
    const permit = await gate.wait(ticket)
    if (permit.kind === 'permit') await gate.settle(permit, 'completed')
    await gate.close()
    return permit
  }

  async function rootOf({ run }: Used): Promise<{ readonly size: number; readonly root: string }> {
    const verified = await run('journal', 'verify', '--json')
    expect(verified, verified.stderr).toMatchObject({ code: 0 })
    return verified.json() as { size: number; root: string }
  }

  it('takes a home with a held call to PostgreSQL and back, and the journal stays one', async () => {
    const place = await used()
    const { run, home, address } = place
    await run('store', 'migrate', address)
    const copied = await run('store', 'copy', address)
    expect(copied, copied.stderr).toMatchObject({ code: 0 })
    expect(copied.stdout).toMatch(/copied \d+ journal entries and 4 calls/)
    expect(readStoreSetting(openHome(home))).toBeNull()
    const used_ = await run('store', 'use', address)
    expect(used_, used_.stderr).toMatchObject({ code: 0 })
    const [, root] = /root: ([0-9a-f]{64})/.exec(copied.stdout) ?? []
    expect(root).toBeDefined()
    await rootOf(place)
    expect((await run('history')).stdout.match(/jot/g)).toHaveLength(3)
    expect(await decide(place, place.ticket)).toMatchObject({ kind: 'permit' })
    const before = await rootOf(place)
    const back = await run('store', 'copy', 'sqlite', '--json')
    expect(back, back.stderr).toMatchObject({ code: 0 })
    expect(back.json()).toMatchObject({ kind: 'copied', size: before.size + 1, rows: { call: 4 } })
    expect(await run('store', 'use', 'sqlite')).toMatchObject({ code: 0 })
    expect(await rootOf(place)).toMatchObject({ root: (back.json() as { root: string }).root })
    expect((await run('history')).stdout.match(/jot/g)).toHaveLength(3)
    // And there again: what was left behind is replaced.
    expect(await run('store', 'copy', address)).toMatchObject({ code: 0 })
    expect(await run('store', 'use', address)).toMatchObject({ code: 0 })
    await rootOf(place)
    const { gate } = await place.open()
    expect((await gate.run({ tool: 'jot', args: {} }, () => 'ran')).kind).toBe('completed')
    await gate.close()
  })
})
