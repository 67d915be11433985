import { afterEach, describe, expect, it, vi } from 'vitest'
import { askService, exchange, ServiceError } from './service-client.ts'

function answers(status: number, text: string): void {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(text, { status })))
}

describe('a request to the service', () => {
  afterEach(() => void vi.unstubAllGlobals())

  it('fails with the message of the service, or with the status', async () => {
    answers(409, '{"error":{"message":"it was decided"}}')
    await expect(askService('/x')).rejects.toMatchObject({ status: 409, message: 'it was decided' })
    answers(502, '<html>')
    await expect(askService('/x')).rejects.toMatchObject({ status: 502, message: 'the service returned status 502' })
  })

  it.each(['{"cut', '<html>', ''])('fails on a successful response that reads `%s`', async (text) => {
    answers(200, text)
    await expect(exchange('/x')).rejects.toMatchObject({ status: 0, message: expect.stringContaining('incomplete') })
    await expect(askService('/x')).rejects.toThrow(ServiceError)
  })

  it('fails on a successful response that breaks off', async () => {
    const broken = () => new ReadableStream({ pull: (stream) => stream.error(new TypeError('gone')) })
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(broken())))
    for (const as of ['json', 'text'] as const)
      await expect(exchange('/x', { as })).rejects.toMatchObject({ name: 'Error', status: 0 })
  })

  it('distinguishes an error page from no response', async () => {
    answers(502, '<html>')
    expect(await exchange('/x')).toEqual({ status: 502, isOk: false, body: null })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('gone')))
    await expect(exchange('/x')).rejects.toThrow(ServiceError)
    await expect(exchange('/x')).rejects.toMatchObject({
      status: 0,
      message: expect.stringContaining('is not responding'),
    })
  })
})
