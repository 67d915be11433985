import { afterEach, describe, expect, it, vi } from 'vitest'
import { deliver, LostDecision } from './submit-decision.ts'

const receipt = { held: 'a', accepted: true, state: 'approved', by: 'Ana', at: 1, message: 'approved by Ana' }
const answers = (body: string, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers: { 'content-type': 'application/json' } }))

afterEach(() => vi.unstubAllGlobals())

describe('a submitted decision', () => {
  it('returns a receipt, even if somebody else was first', async () => {
    answers(JSON.stringify(receipt))
    expect(await deliver('a', {})).toEqual(receipt)
    answers(JSON.stringify({ ...receipt, accepted: false, by: 'Bea' }), 409)
    expect(await deliver('a', {})).toMatchObject({ by: 'Bea' })
  })

  it.each([
    [
      'the call is still held',
      422,
      { ...receipt, accepted: false, state: 'held', message: 'a wrong code' },
      'a wrong code',
    ],
    ['the service refuses it', 401, { error: { code: 'CS_SIGN_IN', message: 'sign in first' } }, 'sign in first'],
  ])('fails with the service’s message if %s', async (_, status, body, words) => {
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
  ])('is reported as lost if %s', async (_, stub) => {
    stub()
    const told = await deliver('a', {}).catch((error: unknown) => error)
    expect(told).toBeInstanceOf(LostDecision)
    expect(String(told)).toContain('may or may not have arrived')
  })

  it('times out', async () => {
    let signal: AbortSignal | null | undefined
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      signal = init.signal
      return Promise.reject(new DOMException('timed out', 'TimeoutError'))
    })
    await expect(deliver('a', {})).rejects.toBeInstanceOf(LostDecision)
    expect(signal).toBeInstanceOf(AbortSignal)
  })
})
