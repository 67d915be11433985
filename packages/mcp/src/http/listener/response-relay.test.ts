import { describe, expect, it } from 'vitest'
import { startScripted } from '../scripted-server.fixture.ts'
import { openUpstream } from '../upstream/upstream.ts'
import type { HttpClient, OpenRequest } from './clients.ts'
import type { Reply } from './reply.ts'
import { relayResponse } from './response-relay.ts'

describe('a refusal whose body breaks off while its outcome is recorded', () => {
  it('is still passed on', async () => {
    const server = await startScripted((_, answer) => {
      answer.writeHead(500, { 'content-length': '100' }).write('half', () => answer.destroy())
    })
    const upstream = openUpstream(server.url, {})
    const answer = await upstream.open('POST', [], Buffer.from('{}'))
    const ended = new Promise<void>((resolve) => void answer.on('close', resolve))
    const told: number[] = []
    await relayResponse(answer, {
      client: {} as HttpClient,
      reply: { isStream: false, finish: (status: number) => void told.push(status) } as unknown as Reply,
      request: { id: '1', settle: () => ended } as unknown as OpenRequest,
      maxBytes: 1000,
      whyRefused: null,
      answerServer() {},
    })
    upstream.close()
    expect(told).toEqual([500])
  })
})
