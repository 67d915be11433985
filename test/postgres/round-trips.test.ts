import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openView, signDecision } from '@countersign/core'
import { openApprover, openGate, openHome } from '@countersign/node'
import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { recordStatements, type StatementRecording } from '@countersign/testing/postgres/recorded-statements'
import { usePostgres } from '@countersign/testing/postgres/server'
import { open } from '@countersign/testing/store/changes'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = `
version: 1
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
`

describe.skipIf(missingPostgres())('round trips to PostgreSQL', () => {
  const server = usePostgres()

  async function opened() {
    const folder = temporaryFolder()
    const workspace = join(folder, 'project')
    mkdirSync(workspace)
    const home = openHome(join(folder, 'home'))
    writeFileSync(home.policy, POLICY, { mode: 0o600 })
    const store = server.freshAddress()
    await migrateSchema(parseStoreAddress(store))
    const gate = await openGate({ home, workspace, store })
    onTestFinished(() => gate.gate.close())
    return { ...gate, approver: openApprover(home, { name: 'ana' }) }
  }

  function recorded(): StatementRecording {
    const recording = recordStatements()
    onTestFinished(recording.stop)
    return recording
  }

  /** Commits since the last look, each with how often it waited for the server. Background reads are not among them. */
  const commitsOf = (recording: StatementRecording) =>
    recording
      .take()
      .filter(({ isCommit }) => isCommit)
      .map(({ trips }) => trips)

  it('are two commits of two each for an automatic call: the intent, and the outcome', async () => {
    const { gate } = await opened()
    const run = () => gate.run({ tool: 'free_thing', args: {} }, () => 'ran')
    await run()
    const recording = recorded()
    for (let nth = 0; nth < 5; nth += 1) {
      expect((await run()).kind).toBe('completed')
      expect(commitsOf(recording)).toEqual([2, 2])
    }
  })

  it('are four commits of two each for a call that a person approves', async () => {
    const { gate, desk, ports, approver } = await opened()
    const approved = async () => {
      const running = gate.run({ tool: 'asked_thing', args: {} }, () => 'ran')
      const view = await until('the held call', async () => (await desk.list())[0])
      const about = { surface: 'test', at: Date.now() }
      const signed = signDecision(openView(view, ports.crypto), { kind: 'approve' }, approver.signer, about)
      await desk.decide(view.id, signed)
      expect((await running).kind).toBe('completed')
    }
    await approved() // the first also shares the new approver with other gates
    const recording = recorded()
    await approved()
    expect(commitsOf(recording)).toEqual([2, 2, 2, 2])
  })

  it('are shared by rows that are read at the same time', async () => {
    const { ports } = await opened()
    const { store } = ports
    const rows = ['a', 'b', 'c'].map((id) => store.commit(open(id)))
    await Promise.all(rows)
    const recording = recorded()
    const found = await Promise.all(['a', 'b', 'none', 'c', 'a'].map((id) => store.call(id)))
    expect(found.map((row) => row?.id)).toEqual(['a', 'b', undefined, 'c', 'a'])
    const reads = recording.take().filter(({ statements }) => statements.some(({ name }) => name === 'calls-of'))
    expect(reads.map(({ trips }) => trips)).toEqual([1])
  })

  it('are shared by calls that run side by side', async () => {
    const { gate } = await opened()
    const recording = recorded()
    const calls = Array.from({ length: 32 }, () => gate.run({ tool: 'free_thing', args: {} }, () => 'ran'))
    for (const one of await Promise.all(calls)) expect(one.kind).toBe('completed')
    const commits = commitsOf(recording)
    expect(commits.length).toBeLessThan(calls.length)
    expect(new Set(commits)).toEqual(new Set([2]))
  })
})
