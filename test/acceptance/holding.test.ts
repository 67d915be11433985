import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, openView, refusalText, signDecision } from '@countersign/core'
import { onlyHeld, openWorld, type World, type WorldOptions } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

async function open(options?: WorldOptions): Promise<World> {
  world = await openWorld(options)
  return world
}

/** A tool that counts its runs. */
function marker(name = 'deploy_site') {
  const marks: unknown[] = []
  const tool = world.gate.wrap(
    { name, run: (args: { n: number }) => marks.push(args.n) },
    { describe: () => ({ kind: 'send' }) },
  )
  return { marks, tool }
}

const ASK_WRITES = 'version: 1\nrules:\n  - { id: ask, kind: write, supervision: confirm }\n'

describe('holding, deciding and resuming', () => {
  it('25: a call has no effect until approved, then runs exactly once', async () => {
    await open()
    const { marks, tool } = marker()
    const result = tool({ n: 1 })
    const view = await onlyHeld(world)
    expect(marks).toEqual([])
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({
      accepted: true,
      state: 'approved',
      by: 'ana',
    })
    expect(await result).toMatchObject({ kind: 'completed', value: 1 })
    expect(marks).toEqual([1])
  })

  it('26: a rejected call does not run, and the agent gets an error result it can act on', async () => {
    await open()
    const { marks, tool } = marker()
    const result = tool({ n: 1 })
    await world.decide(await onlyHeld(world), { kind: 'reject', reason: 'use the staging site' })
    const refused = await result
    expect(refused).toMatchObject({
      kind: 'refusal',
      outcome: 'rejected',
      code: 'CS_REJECTED',
      reason: 'use the staging site',
    })
    if (refused.kind !== 'refusal') throw new Error('not refused')
    expect(refusalText(refused)).toContain('use the staging site')
    expect(refusalText(refused)).toContain('Do not retry this call unchanged')
    expect(marks).toEqual([])
    const next = tool({ n: 2 })
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    expect(await next).toMatchObject({ kind: 'completed' })
  })

  it('27: a call expires at its deadline with its own code, and a late decision gets an error', async () => {
    await open()
    const { marks, tool } = marker()
    const result = tool({ n: 1 })
    const view = await onlyHeld(world)
    await world.clock.advance(5 * 60_000)
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'expired', code: 'CS_EXPIRED' })
    expect(await world.desk.list()).toEqual([])
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false, state: 'expired' })
    expect(marks).toEqual([])
  })

  it.each(['approve', 'reject'] as const)(
    '27: a decision (%s) by another process just before the deadline counts',
    async (kind) => {
      await open()
      const { marks, tool } = marker()
      const result = tool({ n: 1 })
      const view = await onlyHeld(world)
      const other = await world.another()
      await world.clock.advance(5 * 60_000 - 10)
      const signed = signDecision(openView(view, world.ports.crypto), { kind }, world.approver.signer, {
        surface: 'test',
        at: world.clock.now(),
      })
      expect(await other.desk.decide(view.id, signed)).toMatchObject({ accepted: true })
      await world.clock.advance(10)
      expect(await result).toMatchObject(kind === 'approve' ? { kind: 'completed' } : { code: 'CS_REJECTED' })
      expect(marks).toEqual(kind === 'approve' ? [1] : [])
    },
  )

  it('28: the deadline of a rule applies, else the default of the file', async () => {
    await open({
      policy: [
        'version: 1',
        'defaults: { timeout: 2m }',
        'rules:',
        '  - { id: quick, tool: quick_thing, supervision: confirm, timeout: 10s }',
      ].join('\n'),
    })
    const quick = marker('quick_thing').tool({ n: 1 })
    const slow = marker('slow_thing').tool({ n: 1 })
    await settled()
    await world.clock.advance(10_000)
    expect(await quick).toMatchObject({ outcome: 'expired' })
    expect(await world.desk.list()).toHaveLength(1)
    await world.clock.advance(110_000)
    expect(await slow).toMatchObject({ outcome: 'expired' })
  })

  it('28: a submitted call can wait for a week, a caller that waits for a day', async () => {
    await open({ policy: 'version: 1\ndefaults: { timeout: 7d }\n' })
    const day = 86_400_000
    const asked = marker().tool({ n: 1 })
    const ticket = await world.gate.submit({ tool: 'danger', args: { n: 2 } })
    const views = await world.held()
    const left = views.map((view) => JSON.parse(view.request).expiresAt - world.clock.now())
    expect(left.sort((a, b) => a - b)).toEqual([day, 7 * day])
    await world.clock.advance(day)
    expect(await asked).toMatchObject({ outcome: 'expired' })
    await world.clock.advance(5 * day)
    const [view] = await world.held()
    if (view === undefined) throw new Error('the submitted call should still be held')
    await world.decide(view, { kind: 'approve' })
    expect(await world.gate.wait(ticket)).toMatchObject({ kind: 'permit' })
  })

  it('29: two held calls are decided independently, in any order', async () => {
    await open()
    const { marks, tool } = marker()
    const first = tool({ n: 1 })
    const second = tool({ n: 2 })
    const views = await world.held()
    const viewOf = (n: number) => views.find((view) => JSON.parse(view.request).call.args.n === n)
    const [one, two] = [viewOf(1), viewOf(2)]
    if (one === undefined || two === undefined) throw new Error('both should be held')
    await world.decide(two, { kind: 'reject' })
    expect(await second).toMatchObject({ outcome: 'rejected' })
    expect(marks).toEqual([])
    await world.decide(one, { kind: 'approve' })
    expect(await first).toMatchObject({ kind: 'completed' })
    expect(marks).toEqual([1])
  })

  it('30: a second decision, an unknown id and a closed id have no effect and return a clear error', async () => {
    await open()
    const { marks, tool } = marker()
    const result = tool({ n: 1 })
    const view = await onlyHeld(world)
    const receipts = await Promise.all(Array.from({ length: 50 }, () => world.decide(view, { kind: 'approve' })))
    expect(receipts.filter((receipt) => receipt.accepted)).toHaveLength(1)
    await result
    expect(marks).toEqual([1])
    expect(await world.decide(view, { kind: 'reject' })).toMatchObject({ accepted: false, state: 'completed' })
    const stranger = { ...view, id: 'no-such-call' }
    expect(() => world.decide(stranger, { kind: 'approve' })).toThrow(
      expect.objectContaining({ code: 'CS_DECISION_MISMATCH' }),
    )
    const signed = { held: 'no-such-call' } as never
    expect(await world.desk.decide('no-such-call', signed)).toMatchObject({ accepted: false, state: 'unknown' })
  })

  it('31: waiting for a ticket that was never submitted is an error', async () => {
    await open()
    const waited = await world.gate.wait({ kind: 'ticket', callId: 'never-seen' })
    expect(waited).toMatchObject({ kind: 'refusal', code: 'CS_TICKET_UNKNOWN' })
    await expect(world.gate.withdraw({ kind: 'ticket', callId: 'never-seen' })).rejects.toBeInstanceOf(CountersignError)
  })

  it('32: a call is withdrawn when its caller disconnects, and a late approval does not run it', async () => {
    await open()
    const { marks, tool } = marker()
    const leaving = new AbortController()
    const result = tool({ n: 1 }, { signal: leaving.signal })
    const view = await onlyHeld(world)
    leaving.abort()
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false, state: 'withdrawn' })
    expect(marks).toEqual([])
    expect((await world.entries()).map((entry) => entry.kind)).toContain('withdrawn')
  })

  it('33: of 100 calls decided in random order, none is lost and none runs twice', async () => {
    await open({ options: { bounds: { heldInSession: 200 } } })
    const { marks, tool } = marker()
    const leaving = new AbortController()
    const results = Array.from({ length: 100 }, (_, n) => tool({ n }, n % 4 === 3 ? { signal: leaving.signal } : {}))
    const views = await world.held()
    expect(views).toHaveLength(100)
    const shuffled = [...views].sort((a, b) => (a.requestDigest < b.requestDigest ? -1 : 1))
    await Promise.all(
      shuffled.map((view) => {
        const n = JSON.parse(view.request).call.args.n as number
        if (n % 4 === 0) return world.decide(view, { kind: 'approve' })
        if (n % 4 === 1) return world.decide(view, { kind: 'reject' })
        return undefined
      }),
    )
    leaving.abort()
    await world.clock.advance(5 * 60_000)
    const kinds = (await Promise.all(results)).map((result) =>
      result.kind === 'refusal' ? result.outcome : result.kind,
    )
    expect(kinds.filter((kind) => kind === 'completed')).toHaveLength(25)
    expect(kinds.filter((kind) => kind === 'rejected')).toHaveLength(25)
    expect(kinds.filter((kind) => kind === 'expired')).toHaveLength(25)
    expect(kinds.filter((kind) => kind === 'withdrawn')).toHaveLength(25)
    expect([...marks].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 25 }, (_, at) => at * 4))
  })

  it('34: a call without an approver is held, then refused, never run', async () => {
    await open()
    const { marks, tool } = marker()
    const result = tool({ n: 1 })
    await settled()
    await world.clock.advance(5 * 60_000)
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'expired' })
    expect(marks).toEqual([])
  })

  it('35: a call whose preview fails is still held, and shows its raw arguments and the error', async () => {
    await open()
    const tool = world.gate.wrap(
      { name: 'deploy_site', run: () => 'ran' },
      {
        describe: () => ({ kind: 'send' }),
        preview: () => {
          throw new Error('no preview today')
        },
      },
    )
    const result = tool({ n: 1 })
    const view = await onlyHeld(world)
    expect(view.preview).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('no preview today'),
      value: { n: 1 },
    })
    await world.decide(view, { kind: 'reject' })
    expect(await result).toMatchObject({ outcome: 'rejected' })
  })

  it('36: a call without a preview is shown', async () => {
    await open()
    void marker().tool({ n: 7 })
    const view = await onlyHeld(world)
    expect(view.preview).toMatchObject({ kind: 'json', value: { n: 7 } })
    expect(view.effect).not.toBe('')
  })

  it('37: a submitted call is shown again after a restart and can be decided', async () => {
    await open()
    const ticket = await world.gate.submit({
      id: 'job-1',
      tool: 'deploy_site',
      args: { n: 1 },
      description: { kind: 'send' },
    })
    await world.gate.close()
    const later = await world.another()
    const [view] = await later.desk.list()
    if (view === undefined) throw new Error('the call should be shown again')
    const waiting = later.gate.wait(ticket)
    await settled()
    const signed = signDecision(openView(view, world.ports.crypto), { kind: 'approve' }, world.approver.signer, {
      surface: 'test',
      at: world.clock.now(),
    })
    expect(await later.desk.decide(view.id, signed)).toMatchObject({ accepted: true })
    expect(await waiting).toMatchObject({ kind: 'permit', args: { n: 1 } })
  })

  it('38: a sub-agent’s call is labelled and decided in the same queue', async () => {
    await open()
    const { tool } = marker()
    const result = tool({ n: 1 }, { agent: { name: 'tester', parents: ['planner'] } })
    const view = await onlyHeld(world)
    expect(JSON.parse(view.request).call.agent).toEqual(['planner', 'tester'])
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'completed' })
  })

  it('39: arguments changed after asking do not run; those shown do', async () => {
    await open()
    const seen: unknown[] = []
    const tool = world.gate.wrap(
      { name: 'deploy_site', run: (args: { list: number[] }) => seen.push(args.list) },
      { describe: () => ({ kind: 'send' }) },
    )
    const args = { list: [1] }
    const result = tool(args)
    const view = await onlyHeld(world)
    args.list.push(666)
    args.list = [667]
    await world.decide(view, { kind: 'approve' })
    await result
    expect(seen).toEqual([[1]])
  })

  it('39: a target file that changed since the preview makes the call stale', async () => {
    await open({ policy: ASK_WRITES })
    const path = world.file('notes.txt', 'one\n')
    const tool = world.gate.wrap({
      name: 'write_file',
      run: (args: { path: string; content: string }) => writeFileSync(args.path, args.content),
    })
    const result = tool({ path, content: 'two\n' })
    const view = await onlyHeld(world)
    expect(view.preview).toMatchObject({ kind: 'diff', change: 'overwrite', added: 1, removed: 1 })
    writeFileSync(path, 'somebody else was here\n')
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'stale', code: 'CS_STALE' })
    expect(readFileSync(path, 'utf8')).toBe('somebody else was here\n')
  })

  it('39: a folder replaced by a link while a person decides makes the call stale', async () => {
    await open({ policy: ASK_WRITES })
    const path = join(world.workspace, 'out.txt')
    const tool = world.gate.wrap({
      name: 'write_file',
      run: (args: { path: string; content: string }) => writeFileSync(args.path, args.content),
    })
    const result = tool({ path, content: 'x\n' })
    const view = await onlyHeld(world)
    const elsewhere = join(world.home.dir, '..', 'elsewhere.txt')
    symlinkSync(elsewhere, path)
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ outcome: 'stale' })
    expect(existsSync(elsewhere)).toBe(false)
    rmSync(path)
  })

  it('47: edited arguments are judged again and run, with both versions in the journal', async () => {
    await open()
    const { marks, tool } = marker()
    const result = tool({ n: 1 })
    await world.decide(await onlyHeld(world), { kind: 'approve', edited: { n: 2 } })
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(marks).toEqual([2])
    const decided = (await world.entries()).find((entry) => entry.kind === 'decided')
    const judged = (await world.entries()).find((entry) => entry.kind === 'judged')
    expect(judged?.args).toEqual({ n: 1 })
    expect(decided?.edited).toEqual({ n: 2 })
  })
})
