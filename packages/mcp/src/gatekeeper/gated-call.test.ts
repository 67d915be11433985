import type { JsonObject } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { readMessage } from '../wire/message-parser.ts'
import { accepted, gatedWorld, sentParams, toldInstead } from './gated-world.fixture.ts'

const WANTS = { resultType: 'input_required', inputRequests: {}, requestState: 's' }
const answers = (word: string) => ({ requestState: 's', inputResponses: { name: { content: { word } } } })

describe('a server that reports changed tools', () => {
  const world = gatedWorld()
  const changed = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')

  it('gets no calls while its list is unreadable, and gets them again afterwards', async () => {
    let answer: () => Promise<JsonObject> = async () => ({ tools: [] })
    const askServer = (): Promise<JsonObject> => answer()
    expect(await world().call('get', { arguments: { about: 'before' } }, { askServer })).toMatchObject({
      kind: 'forward',
    })
    await world().gatekeeper.fromServer(readMessage(changed), null)
    answer = () => Promise.reject(new Error('it is broken'))
    for (const about of ['first', 'second'])
      expect(await world().call('get', { arguments: { about } }, { askServer })).toMatchObject({
        kind: 'answer',
        bytes: expect.toSatisfy((bytes: Buffer) => bytes.includes('could not be read: it is broken')),
      })
    answer = async () => ({ tools: [] })
    expect(await world().call('get', { arguments: { about: 'after' } }, { askServer })).toMatchObject({
      kind: 'forward',
    })
  })
})

describe('a call whose tool changes before a person approves it', () => {
  const shared = gatedWorld()

  it.each([
    [
      'is in quarantine',
      { kind: 'quarantined', tool: { name: 'write' }, why: 'it changed', fix: 'look' },
      'it changed',
    ],
    ['is not listed any more', { kind: 'unadvertised', why: 'it is gone' }, 'it is gone'],
    ['was accepted with another definition', accepted('write', 'and sends it to a stranger'), 'definition'],
  ] as const)('is not sent if the tool %s', async (about, status, why) => {
    const world = shared()
    world.stands('write', accepted('write', 'plain'))
    const fate = world.call('write', { arguments: { about } })
    const view = await world.held(about)
    world.stands('write', status as never)
    await world.decide(view, { kind: 'approve' })
    expect(toldInstead(await fate)).toContain(why)
    expect((await world.entries(about)).at(-1)).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('never sent'),
    })
  })

  it('is sent if the same definition was listed again', async () => {
    const world = shared()
    world.stands('write', accepted('write', 'plain'))
    const fate = world.call('write', { arguments: { about: 'the same' } })
    const view = await world.held('the same')
    world.stands('write', accepted('write', 'plain'))
    await world.decide(view, { kind: 'approve' })
    expect(sentParams(await fate)).toMatchObject({ arguments: { about: 'the same' } })
  })
})

describe('parameters next to a call’s arguments', () => {
  const shared = gatedWorld()

  it('are shown, bound and sent if they are a task', async () => {
    const world = shared()
    const fate = world.call('write', { arguments: { about: 'a task' }, task: { ttl: 61_234 } })
    const view = await world.held('a task')
    expect(JSON.stringify(view)).toContain('61234')
    await world.decide(view, { kind: 'approve' })
    expect(sentParams(await fate)).toEqual({ name: 'write', arguments: { about: 'a task' }, task: { ttl: 61_234 } })
  })

  it('are left out if the person removed the task', async () => {
    const world = shared()
    const fate = world.call('write', { arguments: { about: 'no task' }, task: { ttl: 1 } })
    await world.decide(await world.held('no task'), { kind: 'approve', edited: { about: 'edited' } })
    expect(sentParams(await fate)).toEqual({ name: 'write', arguments: { about: 'edited' } })
  })

  it('can be a task without arguments, as automatic as the tool', async () => {
    expect(sentParams(await shared().call('get', { task: {} }))).toEqual({ name: 'get', task: {} })
  })

  it.each([
    ['reasoning', 'the file is old'],
    ['thinking', 'the file is old'],
    ['example.com/reasoning', 'the file is old'],
    ['plan', ['look', 'write']],
  ])('show the thinking in `_meta` under `%s`', async (name, thinking) => {
    const world = shared()
    const about = `with ${name}`
    const fate = world.call('write', { arguments: { about }, _meta: { [name]: thinking } })
    const view = await world.held(about)
    expect(view.reasoning).toBe(typeof thinking === 'string' ? thinking : '1. look\n2. write')
    await world.decide(view, { kind: 'reject' })
    await fate
  })

  it('pass `_meta` unchanged, and omit null members', async () => {
    const params = { _meta: { progressToken: 7 }, task: null, inputResponses: null, requestState: null }
    expect(sentParams(await shared().call('get', params))).toEqual({ name: 'get', _meta: { progressToken: 7 } })
  })

  it.each([
    ['an unknown member', { extra: { really: 1 } }, 'extra'],
    ['a task that is not an object', { task: 'yes' }, 'task'],
    ['a state that is not a string', { requestState: 1 }, 'requestState'],
    [
      'an argument with the name that a task is shown under',
      { arguments: { 'countersign/task': {} } },
      'countersign/task',
    ],
    ['a state that no server sent', { requestState: 'forged' }, 'requestState'],
    ['both', answers('forged'), 'requestState'],
  ])('are refused if they are %s', async (_what, params, word) => {
    const world = shared()
    for (const name of ['get', 'write']) expect(toldInstead(await world.call(name, params))).toContain(word)
    expect(await world.heldNow()).toEqual([])
  })
})

describe('a call with answers that no server asked for', () => {
  const shared = gatedWorld()

  it('is judged as a first call, and sent without them', async () => {
    const world = shared()
    const params = { arguments: { about: 'unasked' } }
    expect(sentParams(await world.call('get', { ...params, inputResponses: { a: 1 } }))).toEqual({
      name: 'get',
      ...params,
    })
    const fate = world.call('write', { ...params, inputResponses: { a: 1 } })
    await world.decide(await world.held('unasked'), { kind: 'approve' })
    expect(sentParams(await fate)).toEqual({ name: 'write', ...params })
  })
})

describe('a decision that is collected later', () => {
  const shared = gatedWorld({ mode: 'pending', limitMs: 50 })

  it('does not apply to the same call with a task', async () => {
    const world = shared()
    const plain = { arguments: { about: 'collected' } }
    expect(toldInstead(await world.call('write', plain))).toContain('PENDING')
    await world.decide(await world.held('collected'), { kind: 'approve' })
    expect(toldInstead(await world.call('write', { ...plain, task: { ttl: 9 } }))).toContain('PENDING')
    expect(toldInstead(await world.call('write', { ...plain, ...answers('evil') }))).toContain('requestState')
    expect(sentParams(await world.call('write', plain))).toEqual({ name: 'write', ...plain })
  })

  it('is not lost if the same call is made twice at once', async () => {
    const world = shared()
    const params = { arguments: { about: 'twice' } }
    const [one, two] = await Promise.all([world.call('write', params), world.call('write', params)])
    expect([toldInstead(one), toldInstead(two)].every((text) => text.includes('PENDING'))).toBe(true)
    const views = (await world.heldNow()).filter((view) => JSON.stringify(view).includes('twice'))
    expect(views).toHaveLength(2)
    for (const view of views.toReversed()) {
      await world.decide(view, { kind: 'approve' })
      expect(sentParams(await world.call('write', params))).toMatchObject(params)
    }
  })
})

describe('an exchange with several rounds', () => {
  const shared = gatedWorld()

  it('continues ten times under one approval, each in the journal, and then ends', async () => {
    const world = shared()
    const params = { arguments: { about: 'ten times' } }
    let fate = await world.call('get', params)
    for (let round = 1; round <= 10; round += 1) {
      expect(await world.answered(fate, WANTS)).toMatchObject({ result: { resultType: 'input_required' } })
      fate = await world.call('get', { ...params, ...answers(`word ${round}`) })
      expect(sentParams(fate)).toMatchObject(answers(`word ${round}`))
    }
    expect(await world.answered(fate, WANTS)).toMatchObject({ result: { isError: true } })
    expect(toldInstead(await world.call('get', { ...params, ...answers('eleven') }))).toContain('requestState')
    const entries = await world.entries('ten times')
    const rounds = entries.filter(({ kind }) => kind === 'continued')
    expect(rounds.map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(new Set(rounds.map(({ input }) => input)).size).toBe(10)
    expect(entries.filter(({ kind }) => kind === 'started')).toHaveLength(1)
    expect(entries.at(-1)).toMatchObject({ kind: 'failed' })
  })

  it.each([
    ['with other arguments', { arguments: { about: 'bound!' } }],
    ['as a task', { task: {} }],
    ['with another state', { requestState: 't' }],
  ])('does not continue %s', async (_what, change) => {
    const world = shared()
    const params = { arguments: { about: 'bound' } }
    await world.answered(await world.call('get', params), WANTS)
    expect(toldInstead(await world.call('get', { ...params, ...answers('x'), ...change }))).toContain('requestState')
  })

  it('does not continue if the tool changed meanwhile', async () => {
    const world = shared()
    const params = { arguments: { about: 'changed' } }
    await world.answered(await world.call('get', params), WANTS)
    world.stands('get', accepted('get', 'something else'))
    expect(toldInstead(await world.call('get', { ...params, ...answers('x') }))).toContain('requestState')
  })

  it('has an outcome for each of two equal calls', async () => {
    const world = shared()
    const params = { arguments: { about: 'equal' } }
    const fates = [await world.call('get', params), await world.call('get', params)]
    for (const fate of fates) await world.answered(fate, WANTS)
    for (const word of ['a', 'b']) {
      const fate = await world.call('get', { ...params, ...answers(word) })
      await world.answered(fate, { content: [] })
    }
    const kinds = (await world.entries('equal')).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'started')).toHaveLength(2)
    expect(kinds.filter((kind) => kind === 'completed')).toHaveLength(2)
  })

  it('ends if the server’s input request is unreadable', async () => {
    const world = shared()
    const fate = await world.call('get', { arguments: { about: 'odd state' } })
    expect(await world.answered(fate, { ...WANTS, requestState: 7 })).toMatchObject({ result: { isError: true } })
    expect((await world.entries('odd state')).at(-1)).toMatchObject({ kind: 'failed' })
  })
})

it.each([
  ['2026-07-28, unasked', {}, { resultType: 'task', taskId: 't' }],
  ['2025-11-25, as asked', { task: {} }, { task: { taskId: 't' } }],
])('a call that continues as a task of %s is released: its end is not visible here', async (about, more, result) => {
  const world = released()
  await world.answered(await world.call('get', { arguments: { about }, ...more }), result)
  expect((await world.entries(about)).at(-1)).toMatchObject({ kind: 'released' })
})
const released = gatedWorld()
