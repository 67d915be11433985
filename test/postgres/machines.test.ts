import { markOf, openView, signDecision } from '@countersign/core'
import { openApprover, openGate, openHome, readStoreSetting } from '@countersign/node'
import { JOIN_CODE as CODE, firstMachine, joinMachine, makeMachine } from '@countersign/testing/postgres/machines'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'

const POLICY =
  'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n  - { tool: ship, supervision: confirm }\n'

const machine = () => makeMachine(POLICY)

describe.skipIf(missingPostgres())('machines that share a store', () => {
  const server = usePostgres()

  const first = () => firstMachine(server.freshAddress(), POLICY)

  async function joined() {
    const { address, one } = await first()
    return { address, one, two: await joinMachine(one, address, POLICY) }
  }

  it('hold a call on one, approve it on the other, and verify one journal on both', async () => {
    const { address, one, two } = await joined()
    expect(readStoreSetting(openHome(two.home))).toBe(address)
    const [asking, deciding] = [await one.open(), await two.open()]
    const approver = openApprover(openHome(two.home), { name: 'ana' })
    let ran = 0
    const running = asking.gate.run({ tool: 'ship', args: { n: 1 } }, () => {
      ran += 1
      return 'shipped'
    })
    const view = await until('the held call', async () => (await deciding.desk.list())[0])
    // Both have the name of this machine, so the id of the key tells them apart.
    const [first] = JSON.parse((await one.run('gates', 'list', '--json')).stdout).gates
    const machine = `${first.name} (${first.id.slice(0, 8)})`
    expect(openView(view, deciding.ports.crypto).body.machine).toBe(machine)
    expect((await two.run('held')).stdout).toContain(` on ${machine}, confirm`)
    expect((await two.run('held', markOf(view))).stdout).toContain(`${one.workspace} on ${machine}`)
    const signed = signDecision(openView(view, deciding.ports.crypto), { kind: 'approve' }, approver.signer, {
      surface: 'test',
      at: Date.now(),
    })
    await deciding.desk.decide(view.id, signed)
    expect(await running).toMatchObject({ kind: 'completed', value: 'shipped' })
    expect(ran).toBe(1)
    await asking.gate.close()
    await deciding.gate.close()
    for (const { run } of [one, two]) {
      const verified = await run('journal', 'verify')
      expect(verified, verified.stderr).toMatchObject({ code: 0 })
    }
    const ids = JSON.parse((await one.run('approvers', 'list', '--json')).stdout).map(({ id }: { id: string }) => id)
    expect(ids).toEqual([approver.approver.id])
  })

  it('list each other, and one that is removed runs nothing any more', async () => {
    const { one, two } = await joined()
    const listed = JSON.parse((await one.run('gates', 'list', '--json')).stdout)
    expect(listed.gates).toHaveLength(2)
    expect((await two.run('gates', 'list')).stdout).toContain('this machine')
    const opened = await two.open()
    expect((await opened.gate.run({ tool: 'jot', args: {} }, () => 'ran')).kind).toBe('completed')
    const id = listed.gates[1].id
    expect((await two.run('gates', 'remove', id)).stderr).toContain('can’t remove itself')
    expect((await one.run('gates', 'remove', id.slice(0, 8))).stdout).toContain('removed')
    await opened.ports.store.head() // a gate hears of it with its next look at the store
    expect(await opened.gate.run({ tool: 'jot', args: {} }, () => 'ran')).toMatchObject({
      kind: 'refusal',
      code: 'CS_GATES',
    })
    await expect(two.open()).rejects.toThrow('was removed')
    expect((await two.run('journal', 'verify')).stderr).toContain('was removed')
    expect((await one.run('journal', 'verify')).code).toBe(0)
    expect((await one.run('gates', 'list')).stdout).toMatch(/removed after entry \d+/)
  })

  it('are named on a held call only where several share the store', async () => {
    const { one } = await first()
    const { gate, desk, ports } = await one.open()
    await gate.submit({ tool: 'ship', args: {} })
    const [view] = await desk.list()
    expect(view && 'machine' in openView(view, ports.crypto).body).toBe(false)
  })

  it('are not used by a home that nobody admitted', async () => {
    const { address } = await first()
    const two = machine()
    expect(await two.run('store', 'use', address)).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('countersign gates join'),
    })
    expect(readStoreSetting(openHome(two.home))).toBeNull()
    await expect(openGate({ home: two.home, store: address })).rejects.toThrow('countersign gates join')
  })

  it('need a terminal or a file descriptor for the code', async () => {
    const { address, one } = await first()
    const two = machine()
    expect((await two.run('gates', 'join', address)).stderr).toContain('only on a terminal')
    expect((await one.run('gates', 'admit')).stderr).toContain('on a terminal')
    expect((await one.bash(`countersign gates admit --code-fd 3 3<<< ${CODE}`)).stderr).toContain('no machine asks')
    expect((await two.run('gates', 'list')).stderr).toContain('on this machine alone')
  })
})
