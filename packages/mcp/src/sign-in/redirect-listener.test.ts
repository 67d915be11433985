import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listenForRedirect } from './redirect-listener.ts'

async function open() {
  const redirect = await listenForRedirect(0)
  onTestFinished(() => redirect.close())
  const get = async (query: string, path = redirect.url) => (await fetch(`${path}?${query}`)).status
  return { redirect, get }
}

describe('the redirect listener', () => {
  it('accepts one response, identified by its state, and no second', async () => {
    const { redirect, get } = await open()
    const answer = redirect.wait(10_000)
    expect(await get(`state=${redirect.state}&code=one&iss=x`)).toBe(200)
    expect(await answer).toEqual({ kind: 'code', code: 'one', iss: 'x' })
    expect(await get(`state=${redirect.state}&code=two`)).toBe(410)
    expect(await redirect.wait(10)).toEqual({ kind: 'code', code: 'one', iss: 'x' })
  })

  it('keeps waiting after other requests: another state, none, two, another path or method', async () => {
    const { redirect, get } = await open()
    const answer = redirect.wait(10_000)
    const { state } = redirect
    for (const query of [
      'state=wrong&code=evil',
      'code=evil',
      `state=${state}`,
      `state=${state}&state=${state}&code=evil`,
      `state=${state}&code=evil&iss=one&iss=two`,
      `state=${state}&code=evil&code=worse`,
    ])
      expect(await get(query)).toBe(400)
    expect(await get(`state=${state}&code=evil`, redirect.url.replace('/callback', '/'))).toBe(404)
    expect((await fetch(`${redirect.url}?state=${state}&code=evil`, { method: 'POST' })).status).toBe(404)
    expect(await get(`state=${state}&code=right`)).toBe(200)
    expect(await answer).toMatchObject({ code: 'right' })
  })

  it('has no other host name: a page that points its own name here is ignored', async () => {
    const { redirect } = await open()
    const status = await new Promise((resolve) =>
      request(`${redirect.url}?state=${redirect.state}&code=evil`, { headers: { host: 'evil.example' } }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).end(),
    )
    expect(status).toBe(404)
  })

  it('is not blocked by silent connections', async () => {
    const { redirect, get } = await open()
    const { port } = new URL(redirect.url)
    const idle = Array.from({ length: 16 }, () => connect(Number(port), '127.0.0.1').resume())
    for (const one of idle) one.on('error', () => {})
    onTestFinished(() => idle.forEach((one) => void one.destroy()))
    await Promise.all(idle.map((one) => once(one, 'connect')))
    await Promise.race(idle.map((one) => new Promise((resolve) => void one.on('close', resolve))))
    await expect.poll(() => get(`state=${redirect.state}&code=one`).catch(() => 0)).toBe(200)
  })

  it('has a timeout', async () => {
    const { redirect } = await open()
    expect(await redirect.wait(20)).toBeNull()
  })

  it('reports that a port is in use', async () => {
    const { redirect } = await open()
    await expect(listenForRedirect(Number(new URL(redirect.url).port))).rejects.toThrow(/EADDRINUSE/)
  })
})
