import { DatabaseSync } from 'node:sqlite'
import { draftEntry } from '@countersign/core'
import { openCrypto, openSqliteStore } from '@countersign/node'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'

interface Past {
  readonly calls: readonly { readonly id: string; readonly decision: { readonly approver: string } | null }[]
}

describe('past calls', () => {
  it('can be filtered by tool, agent, risk and approver, with the available values', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    await gate.ask({ id: 'seen', tool: 'look', args: {}, agent: { name: 'reader', parents: ['boss'] } })
    const asked = gate.ask({ id: 'turned-down', tool: 'jot', args: { note: 'a' }, agent: { name: 'writer' } })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'reject', reason: 'not today' })
    await asked
    const ids = async (query: string) => (await world.json<Past>(`/history?${query}`)).calls.map(({ id }) => id)
    const { id } = world.approver.approver
    expect(await world.json('/seen')).toEqual({
      tools: ['jot', 'look'],
      agents: ['boss › reader', 'writer'],
      approvers: [id],
    })
    expect(await ids('')).toEqual(['turned-down', 'seen'])
    expect(await ids('tool=look')).toEqual(['seen'])
    expect(await ids(`agent=${encodeURIComponent('boss › reader')}`)).toEqual(['seen'])
    expect(await ids(`approver=${id}`)).toEqual(['turned-down'])
    expect(await ids(`approver=${id}&tool=look`)).toEqual([])
    expect(await ids('risk=critical')).toEqual([])
    const lines = await (await world.fetch(`/history.jsonl?approver=${id}`)).text()
    expect(lines.trim().split('\n')).toHaveLength(1)
    gate.close()
  })

  it('keep whether they were worth asking about, by rule', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const asked = gate.ask({ id: 'asked', tool: 'jot', args: { note: 'a' } })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    const send = (json: unknown, id = 'asked') => world.fetch(`/history/${id}/feedback`, { method: 'POST', json })
    expect((await send({ answer: 'not-worth-asking' })).status).toBe(404)
    await world.decide(view, { kind: 'reject', reason: 'not today' })
    await asked
    expect((await send({ answer: 'always-allow' })).status).toBe(400)
    expect((await send({ answer: 'not-worth-asking', by: 'somebody' })).status).toBe(400)
    expect((await send({ answer: 'not-worth-asking' })).status).toBe(200)
    expect(await world.json('/stats')).toMatchObject({
      rules: [{ rule: view.verdict.rule.id, worth: 0, notWorth: 1 }],
    })
    gate.close()
  })

  it('show everything that the journal has, with secrets redacted', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const token = `ghp${'_'}${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`
    await gate.ask({ id: 'one', tool: 'look', args: { at: 'the sea', token } })
    const text = await (await world.fetch('/history/one')).text()
    expect(text).not.toContain(token)
    const { call, entries } = JSON.parse(text)
    expect(call).toMatchObject({ id: 'one', tool: 'look' })
    expect(entries[0]).toMatchObject({ kind: 'judged', call: 'one', args: { at: 'the sea' } })
    expect((await world.fetch('/history/none')).status).toBe(404)
    gate.close()
  })

  it('are not mixed with others that claim the same id (A31)', async () => {
    const world = await openServiceWorld()
    const [gate, stranger] = [await world.connect(), await world.connect()]
    await gate.ask({ id: 'mine', tool: 'look', args: {} })
    const told = () => world.json<{ entries: readonly { readonly kind: string }[]; more: number }>('/history/mine')
    const before = (await told()).entries.length
    const tries: readonly (() => Promise<unknown>)[] = [
      () => stranger.ask({ id: 'mine', tool: 'look', args: {} }),
      () => stranger.ask({ id: 'mine', tool: 'look', args: { list: new Array(10_001).fill(0) } }),
      () => stranger.submit({ id: 'mine', tool: 'jot', args: {} }).catch(() => {}),
    ]
    for (const attempt of tries) for (let n = 0; n < 20; n += 1) await attempt()
    const { entries, more } = await told()
    expect(entries).toHaveLength(before + 10)
    expect(entries.slice(before).every(({ kind }) => kind === 'refused')).toBe(true)
    expect(more).toBe(0)
    for (const one of [gate, stranger]) one.close()
  })

  it('show the first and last of very many entries, and the number of the others (L10)', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    await gate.ask({ id: 'long', tool: 'look', args: {} })
    const crypto = openCrypto(world.home)
    const store = await openSqliteStore(world.home.store, { crypto })
    const drafts = Array.from({ length: 300 }, (_, n) => draftEntry({ kind: 'refused', call: 'long', n }, 1, crypto))
    await store.commit({ entries: drafts, durable: false })
    await store.close()
    const { entries, more } = await world.json<{ entries: readonly { kind: string; n?: number }[]; more: number }>(
      '/history/long',
    )
    expect(entries).toHaveLength(200)
    expect(entries[0]).toMatchObject({ kind: 'judged' })
    expect(entries.at(-1)).toMatchObject({ n: 299 })
    expect(more).toBeGreaterThan(100)
    gate.close()
  })
})

describe('a grant', () => {
  it('shows the call it was given for, and nothing if the journal has another', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const asked = gate.ask({ id: 'first', tool: 'jot', args: { note: 'buy milk' } })
    const [view] = await world.held(1)
    const offer = view?.offers.find(({ scope }) => scope.kind === 'exact')
    const lifetime = offer?.lifetimes.find(({ kind }) => kind === 'minutes')
    if (view === undefined || offer === undefined || lifetime === undefined) throw new Error('no grant is offered')
    await world.decide(view, { kind: 'approve', grant: { scope: offer.scope, lifetime } })
    await asked
    const { grants } = await world.json<{ grants: readonly unknown[] }>('/grants')
    expect(grants).toMatchObject([
      { call: 'first', from: { tool: 'jot', args: { note: 'buy milk' } }, scope: { kind: 'exact' } },
    ])
    await gate.ask({ id: 'harmless', tool: 'look', args: {} })
    const db = new DatabaseSync(world.home.store)
    db.exec(`UPDATE standing SET decision = replace(decision, '"held":"first"', '"held":"harmless"')`)
    db.close()
    expect(await world.json('/grants')).toMatchObject({ grants: [{ call: 'harmless', from: null }] })
    gate.close()
  })
})
