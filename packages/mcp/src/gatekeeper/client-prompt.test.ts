import { describe, expect, it } from 'vitest'
import { httpWorld } from '../http/http-world.fixture.ts'
import { type Got, messagesIn, openProxy, wordsOf } from '../http/listener/listen.fixture.ts'
import { until } from '../relay/relay-world.fixture.ts'

const world = httpWorld()
const FORM = { elicitation: { form: {} } }
const BOTH = { elicitation: { form: {}, url: {} } }

interface Wanted {
  readonly requestState: string
  readonly inputRequests: { readonly 'countersign/held': { readonly params: { readonly [name: string]: unknown } } }
}

function wantedIn({ messages }: Got): Wanted {
  expect(messages).toMatchObject([{ result: { resultType: 'input_required' } }])
  return messages[0]?.['result'] as unknown as Wanted
}

const answered = (requestState: string, more: object = {}) => ({
  requestState,
  inputResponses: { 'countersign/held': { action: 'accept', content: { read: true } }, ...more },
})

describe('a client with the stateless protocol that can show forms', () => {
  it('shows where its call is held, retries, and gets the decision', async () => {
    const proxy = await openProxy(world(), { url: null })
    const args = { text: 'shown-1' }
    const { requestState, inputRequests } = wantedIn(await proxy.call('write_note', args, { capabilities: FORM }).done)
    expect(inputRequests['countersign/held'].params).toMatchObject({ mode: 'form', message: 'held' })
    const again = proxy.call('write_note', args, { capabilities: FORM, params: answered(requestState) })
    await world().decide(await world().held('shown-1'), { kind: 'approve' })
    expect(wordsOf(await again.done)).toBe('write_note shown-1')
    const sent = world().got('shown-1')
    expect(sent).toHaveLength(1)
    expect(sent[0]?.body).not.toMatch(/requestState|inputResponses/)
  })

  it('is sent to the call’s page if there is one', async () => {
    const proxy = await openProxy(world(), { url: 'http://127.0.0.1:4180/held/x' })
    const got = await proxy.call('write_note', { text: 'page' }, { capabilities: BOTH }).done
    const { params } = wantedIn(got).inputRequests['countersign/held']
    expect(params).toEqual({ mode: 'url', message: 'held', url: 'http://127.0.0.1:4180/held/x' })
  })

  it('decides nothing with its answers', async () => {
    const proxy = await openProxy(world(), { url: null })
    const args = { text: 'shown-2' }
    const { requestState } = wantedIn(await proxy.call('write_note', args, { capabilities: FORM }).done)
    const yes = { 'countersign/held': { action: 'accept', content: { approve: true, read: true } } }
    const again = proxy.call('write_note', args, { capabilities: FORM, params: { requestState, inputResponses: yes } })
    await world().decide(await world().held('shown-2'), { kind: 'reject' })
    expect((await again.done).messages).toMatchObject([{ result: { isError: true } }])
    expect(world().got('shown-2')).toEqual([])
  })

  it('forwards no answers that no server asked for, even next to ours', async () => {
    const proxy = await openProxy(world(), { url: null })
    const args = { text: 'shown-3' }
    const theirs = { name: { action: 'accept' } }
    const { requestState } = wantedIn(await proxy.call('write_note', args, { capabilities: FORM }).done)
    const alone = { capabilities: FORM, params: { requestState: 'of-a-server', inputResponses: theirs } }
    const got = await proxy.call('write_note', args, alone).done
    expect(got.messages).toMatchObject([{ error: { data: { reason: 'invalid_request_state' } } }])
    expect(world().got('shown-3')).toEqual([])
    const beside = { capabilities: FORM, params: answered(requestState, theirs) }
    const again = proxy.call('write_note', args, beside)
    await world().decide(await world().held('shown-3'), { kind: 'approve' })
    expect(wordsOf(await again.done)).toBe('write_note shown-3')
    expect(
      world()
        .got('shown-3')
        .map(({ body }) => /inputResponses|accept/.test(body)),
    ).toEqual([false])
  })

  it.each([
    ['for other arguments', (state: string) => ({ text: 'shown-5', state })],
    ['that was modified', (state: string) => ({ text: 'shown-4', state: `${state.slice(0, -4)}AAAA` })],
    ['that is not ours', () => ({ text: 'shown-4', state: 'countersign1.e30.AAAA' })],
  ])('is refused with a state %s', async (_, change) => {
    const proxy = await openProxy(world(), { url: null })
    const first = await proxy.call('write_note', { text: 'shown-4' }, { capabilities: FORM }).done
    const { text, state } = change(wantedIn(first).requestState)
    const got = await proxy.call('write_note', { text }, { capabilities: FORM, params: answered(state) }).done
    expect(got.messages).toMatchObject([{ error: { message: expect.stringContaining('requestState') } }])
    expect(world().got(text)).toEqual([])
  })

  it('is refused with a state that was already used', async () => {
    const proxy = await openProxy(world(), { url: null })
    const args = { text: 'shown-6' }
    const { requestState } = wantedIn(await proxy.call('write_note', args, { capabilities: FORM }).done)
    const again = proxy.call('write_note', args, { capabilities: FORM, params: answered(requestState) })
    await world().decide(await world().held('shown-6'), { kind: 'approve' })
    await again.done
    const replay = await proxy.call('write_note', args, { capabilities: FORM, params: answered(requestState) }).done
    expect(replay.messages).toMatchObject([{ error: { message: expect.stringContaining('already used') } }])
    expect(world().got('shown-6')).toHaveLength(1)
  })

  it('waits as usual if it can show nothing', async () => {
    const proxy = await openProxy(world(), { url: null })
    const asking = proxy.call('write_note', { text: 'shown-7' })
    await world().decide(await world().held('shown-7'), { kind: 'approve' })
    expect(wordsOf(await asking.done)).toBe('write_note shown-7')
  })
})

describe('a client with the older protocol that can show forms', () => {
  it('is prompted during its call; its answer is not forwarded, and the prompt ends with the decision', async () => {
    const session = await (await openProxy(world(), { url: null })).session(FORM)
    const asking = session.call('write_note', { text: 'beside' })
    const request = await until('the form', () =>
      messagesIn(asking.text()).find((message) => message['method'] === 'elicitation/create'),
    )
    expect(request['params']).toMatchObject({ mode: 'form', message: 'held' })
    const answer = { id: request['id'], result: { action: 'accept', content: { read: true, approve: true } } }
    expect((await session.post(answer).done).status).toBe(202)
    expect(world().got(String(request['id']))).toEqual([])
    expect(await world().heldNow('beside')).toBe(true)
    await world().decide(await world().held('beside'), { kind: 'approve' })
    const got = await asking.done
    expect(wordsOf(got)).toBe('write_note beside')
    expect(got.messages).toContainEqual(
      expect.objectContaining({
        method: 'notifications/cancelled',
        params: expect.objectContaining({ requestId: request['id'] }),
      }),
    )
  })
})
