import { afterEach, describe, expect, it, vi } from 'vitest'
import { deliver, LostDecision } from './submit-decision.ts'

const receipt = { held: 'a', accepted: true, state: 'approved', by: 'Ana', at: 1, message: 'approved by Ana' }
const answers = (body: string, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers: { 'content-type': 'application/json' } }))

afterEach(() => vi.unstubAllGlobals())

describe('a decision that is sent', () => {
  it('is answered with a receipt, also when somebody else was first', async () => {
    answers(JSON.stringify(receipt))
    expect(await deliver('a', {})).toEqual(receipt)
    answers(JSON.stringify({ ...receipt, accepted: false, by: 'Bea' }), 409)
    expect(await deliver('a', {})).toMatchObject({ by: 'Bea' })
  })

  it.each([
    ['it is still held', 422, { ...receipt, accepted: false, state: 'held', message: 'a wrong code' }, 'a wrong code'],
    ['the service says no', 401, { error: { code: 'CS_SIGN_IN', message: 'sign in first' } }, 'sign in first'],
  ])('did not count when %s, in the service’s words', async (_, status, body, words) => {
    answers(JSON.stringify(body), status)
    const told = await deliver('a', {}).catch((error: unknown) => error)
    expect(told).toEqual(new Error(words))
    expect(told).not.toBeInstanceOf(LostDecision)
  })

  it.each([
    ['the connection breaks', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))],
    ['a proxy answers for the service', () => answers('<h1>504 Gateway Time-out</h1>', 504)],
    ['a proxy answers in JSON', () => answers('{"message":"upstream timed out"}', 504)],
    ['the answer is cut off', () => answers('{"accepted":tr')],
  ])('is not known to have arrived, nor not to have, when %s', async (_, stub) => {
    stub()
    const told = await deliver('a', {}).catch((error: unknown) => error)
    expect(told).toBeInstanceOf(LostDecision)
    expect(String(told)).toContain('it is not known whether the decision arrived')
  })

  it('is called back when nobody answers', async () => {
    let signal: AbortSignal | null | undefined
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      signal = init.signal
      return Promise.reject(new DOMException('timed out', 'TimeoutError'))
    })
    await expect(deliver('a', {})).rejects.toBeInstanceOf(LostDecision)
    expect(signal).toBeInstanceOf(AbortSignal)
  })
})
