import { afterEach, describe, expect, it, vi } from 'vitest'
import { askService, exchange, ServiceError } from './service-client.ts'

function answers(status: number, text: string): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(text, { status })))
}

describe('asking the service', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('says no in the service’s own words, and else by its status', async () => {
    answers(409, '{"error":{"message":"it was decided"}}')
    await expect(askService('/x')).rejects.toMatchObject({ status: 409, message: 'it was decided' })
    answers(502, '<html>')
    await expect(askService('/x')).rejects.toMatchObject({ status: 502, message: 'the service answered 502' })
  })

  it.each(['{"cut', '<html>', ''])('takes a yes that reads `%s` for no answer', async (text) => {
    answers(200, text)
    await expect(exchange('/x')).rejects.toMatchObject({ status: 0, message: expect.stringContaining('broke off') })
    await expect(askService('/x')).rejects.toThrow(ServiceError)
  })

  it('takes a yes whose text breaks off for no answer', async () => {
    const broken = () => new ReadableStream({ pull: (stream) => stream.error(new TypeError('gone')) })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(broken())))
    for (const as of ['json', 'text'] as const)
      await expect(exchange('/x', { as })).rejects.toMatchObject({ name: 'Error', status: 0 })
  })

  it('tells a no that is no JSON from none at all', async () => {
    answers(502, '<html>')
    expect(await exchange('/x')).toEqual({ status: 502, isOk: false, said: null })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('gone')))
    await expect(exchange('/x')).rejects.toThrow(ServiceError)
    await expect(exchange('/x')).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining('does not answer'),
    })
  })
})
