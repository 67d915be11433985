import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openView, signDecision, type Ticket } from '@countersign/core'
import { openApprover, openGate, openHome } from '@countersign/node'
import { expect, onTestFinished } from 'vitest'
import { runInProcess } from '../command/run-in-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'

const POLICY =
  'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n  - { tool: ship, supervision: confirm, timeout: 1h }\n'

/** A home of a test, on any store. */
export type UsedHome = Awaited<ReturnType<typeof emptyHome>>

/** A home with a policy: `jot` runs, `ship` needs a decision. */
export async function emptyHome() {
  const cwd = temporaryFolder()
  const home = join(cwd, 'home')
  writeFileSync(openHome(home).policy, POLICY, { mode: 0o600 })
  const workspace = join(cwd, 'project')
  mkdirSync(workspace)
  const open = async () => {
    const opened = await openGate({ home, workspace })
    onTestFinished(() => opened.gate.close().catch(() => {}))
    return opened
  }
  return {
    cwd,
    home,
    workspace,
    open,
    run: (...words: readonly string[]) => runInProcess(words, { cwd, home }),
    /** The result of an automatic call. */
    async jot() {
      const { gate } = await open()
      const { kind } = await gate.run({ tool: 'jot', args: {} }, () => 'ran')
      await gate.close()
      return kind
    },
  }
}

/** A home with a history, an approver, and a submitted call that waits for a decision. */
export async function usedHome() {
  const place = await emptyHome()
  const { signer } = openApprover(openHome(place.home), { name: 'ana' })
  const { gate } = await place.open()
  for (let n = 0; n < 3; n += 1) await gate.run({ tool: 'jot', args: { n } }, () => 'ran')
  const ticket = await gate.submit({ tool: 'ship', args: { n: 1, text: 'nul \0 and sub \x1a' } })
  await gate.close()
  return { ...place, ticket, decide: () => decide(place, ticket, signer) }
}

/** Approves the submitted call, and collects its permit. */
async function decide({ open }: UsedHome, ticket: Ticket, signer: Parameters<typeof signDecision>[2]) {
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

/** The size and the root of a home's journal, which must be intact. */
export async function verifiedJournal({
  run,
}: UsedHome): Promise<{ readonly size: number; readonly root: string; readonly keptTo: number }> {
  const verified = await run('journal', 'verify', '--json')
  expect(verified, verified.stderr).toMatchObject({ code: 0 })
  return verified.json() as { size: number; root: string; keptTo: number }
}
