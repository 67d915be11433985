import { afterEach, describe, expect, it, vi } from 'vitest'
import { askService, exchange, ServiceError } from './ask-service.ts'

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

  it('tells an answer that is no JSON from none at all', async () => {
    answers(200, '<html>')
    expect(await exchange('/x')).toEqual({ status: 200, isOk: true, said: null })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('gone')))
    await expect(exchange('/x')).rejects.toThrow(ServiceError)
    await expect(exchange('/x')).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining('does not answer'),
    })
  })
})
