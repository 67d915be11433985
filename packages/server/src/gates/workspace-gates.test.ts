import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type GateEvent, openView, type Store, signDecision } from '@countersign/core'
import { openApprover, openCrypto, openGate, openHome, openSqliteStore } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createHeldBoard } from '../deciding/stream/held-calls.ts'
import { openWorkspaces, type Workspaces } from './workspace-gates.ts'

/** Workspaces that are released as soon as nobody uses them, and the board over them. */
async function openWorld() {
  const root = temporaryFolder()
  const [one, other] = ['one', 'other'].map((name) => join(root, name)) as [string, string]
  for (const folder of [one, other]) mkdirSync(folder)
  const home = openHome(join(root, 'home'))
  writeFileSync(home.policy, 'version: 1\nrules:\n  - { tool: deploy, supervision: confirm }\n', { mode: 0o600 })
  const managed = { folder: join(root, 'managed'), owner: process.getuid?.() ?? 0 }
  const main = await openGate({ home, managed, workspace: home.dir, session: 'none', observer: true })
  onTestFinished(() => main.gate.close())
  const workspaces = openWorkspaces(home, { managed }, () => {}, 1)
  onTestFinished(() => workspaces.close())
  return { home, managed, main, workspaces, board: createHeldBoard(main, workspaces), one, other }
}

const isLetGoOf = (workspaces: Workspaces) => expect.poll(() => workspaces.size).toBe(0)

describe('a call submitted in a workspace that nobody uses any more', () => {
  it('is still listed, shown and decided, and does not affect the others', async () => {
    const { home, workspaces, board, one, other } = await openWorld()
    const submitting = await workspaces.newSession(one)
    await submitting.submit({ id: 'stale', tool: 'deploy', args: {} })
    await submitting.close()
    await isLetGoOf(workspaces)
    const asking = await workspaces.newSession(other)
    const asked = asking.ask({ id: 'live', tool: 'deploy', args: {} })
    await expect.poll(async () => (await board.list()).length).toBe(2)
    const view = await board.view('stale')
    if (view === undefined) throw new Error('it is not shown')
    expect(view.id).toBe('stale')
    expect(await board.definition('stale')).toBeNull()
    const { signer } = openApprover(home, { name: 'ana' })
    const signed = signDecision(openView(view, openCrypto(home)), { kind: 'reject', reason: 'no' }, signer, {
      surface: 'test',
      at: Date.now(),
    })
    expect(await board.decide('stale', signed)).toMatchObject({ accepted: true, by: 'ana' })
    expect(await board.list()).toHaveLength(1)
    await asking.close()
    await asked
  })
})

describe('a workspace that nobody uses any more', () => {
  it('is closed before all workspaces are, although that began earlier', async () => {
    const { home, workspaces, one } = await openWorld()
    await (await workspaces.newSession(one)).close()
    await isLetGoOf(workspaces)
    await workspaces.close()
    rmSync(home.dir, { recursive: true })
  })

  it('is a problem to report if it can’t be closed, and the service goes on', async () => {
    const { home, managed, one } = await openWorld()
    const told: GateEvent[] = []
    const workspaces = openWorkspaces(home, { managed }, (event) => told.push(event), 1)
    const gate = await workspaces.newSession(one)
    const other = await openSqliteStore(join(home.dir, 'other.db'), { crypto: openCrypto(home), now: Date.now })
    await other.close()
    const full = new CountersignError('CS_STORE_WRITE', 'the disk is full')
    const closing = vi.spyOn(Object.getPrototypeOf(other) as Store, 'close').mockRejectedValueOnce(full)
    onTestFinished(() => closing.mockRestore())
    await gate.close()
    await isLetGoOf(workspaces)
    await workspaces.close()
    expect(told).toContainEqual({ kind: 'problem', code: 'CS_STORE_WRITE', message: 'the disk is full' })
  })
})

describe('the desk of a call', () => {
  it('is named only while somebody waits for the call here, however it ends', async () => {
    const { main, workspaces, one } = await openWorld()
    const gate = await workspaces.newSession(one)
    const asked = gate.ask({ id: 'a', tool: 'deploy', args: {} })
    await expect.poll(async () => (await main.desk.list()).length).toBe(1)
    expect(workspaces.deskOf('a')).toBeDefined()
    await gate.submit({ id: 'b', tool: 'deploy', args: {} })
    expect(workspaces.deskOf('b')).toBeUndefined()
    const stop = new AbortController()
    const waited = gate.wait({ kind: 'ticket', callId: 'b' }, stop.signal)
    await expect.poll(() => workspaces.deskOf('b')).toBeDefined()
    stop.abort()
    await waited
    expect(workspaces.deskOf('b')).toBeUndefined()
    await gate.close()
    await asked
    expect(workspaces.deskOf('a')).toBeUndefined()
  })

  it('is not asked again after a failure: the store has the same answer', async () => {
    const { main, workspaces, one } = await openWorld()
    const gate = await workspaces.newSession(one)
    await gate.submit({ id: 'a', tool: 'deploy', args: {} })
    const closed = { ...main.desk, view: () => Promise.reject(new Error('was closed')) }
    const board = createHeldBoard(main, { deskOf: () => closed })
    expect(await board.view('a')).toMatchObject({ id: 'a' })
    expect(await board.list()).toHaveLength(1)
    await gate.close()
  })
})
