import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectGate, controlService, openCrypto, openHomeStore } from '@countersign/node'
import { type ServiceProcess, startServiceProcess } from '@countersign/testing/gate/service-process'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { shareStore } from '@countersign/testing/postgres/shared-homes'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

describe.skipIf(missingPostgres())('services behind one URL', () => {
  const server = usePostgres()

  async function place() {
    const address = server.freshAddress()
    const { homes, workspace } = await shareStore([address, address], 'version: 1\n')
    const words = ['--public-url', 'https://gate.example', '--asking-port', '0']
    const [one, two] = await Promise.all(homes.map((home) => startServiceProcess(home, workspace, words)))
    if (one === undefined || two === undefined) throw new Error('two services were started')
    return { one, two, workspace }
  }

  function request({ status }: ServiceProcess, path: string, cookie: string, init: RequestInit = {}) {
    const headers = { cookie, origin: status.url, 'content-type': 'application/json' }
    return fetch(`${status.url}/api/v1${path}`, { ...init, headers })
  }

  async function ticketOf({ home }: ServiceProcess): Promise<string> {
    const answer = await controlService(home, { do: 'ticket' })
    if (answer === undefined || !('link' in answer)) throw new Error('the service gives no link')
    return new URL(answer.link).hash.slice('#ticket='.length)
  }

  const enter = (service: ServiceProcess, ticket: string) =>
    request(service, '/sign-in', '', { method: 'POST', body: JSON.stringify({ ticket }) })

  it('sign a browser in at all of them, with a link that works once', async () => {
    const { one, two } = await place()
    const ticket = await ticketOf(one)
    const entered = await enter(two, ticket)
    expect(entered.status).toBe(200)
    const cookie = entered.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    expect(cookie).toMatch(/^countersign-443=/)
    for (const service of [one, two]) {
      expect((await request(service, '/me', cookie)).status).toBe(200)
      expect((await enter(service, ticket)).status).toBe(401)
    }
    expect((await enter(one, `${ticket.slice(0, -1)}z`)).status).toBe(401)
    expect((await request(one, '/sign-in', cookie, { method: 'DELETE' })).status).toBe(200)
    for (const service of [one, two]) expect((await request(service, '/me', cookie)).status).toBe(401)
  })

  it('accept one token of askers, and end sign-ins and token when a machine is removed', async () => {
    const { one, two, workspace } = await place()
    const tokenOf = ({ home }: ServiceProcess) => readFileSync(join(home.keys, 'asking.token'), 'utf8').trim()
    const token = tokenOf(one)
    expect(tokenOf(two)).toBe(token)
    const connect = (service: ServiceProcess) =>
      connectGate({
        address: { host: '127.0.0.1', port: service.status.askingPort ?? 0, token },
        workspace,
        version: '0.1.0',
      })
    for (const service of [one, two]) (await connect(service)).close()
    const cookie = (await enter(one, await ticketOf(one))).headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    const { store, gates } = await openHomeStore(one.home, { crypto: openCrypto(one.home) })
    onTestFinished(() => store.close())
    const removed = gates?.list().gates.at(-1)?.id ?? ''
    expect(await gates?.remove(removed)).toBe(true)
    expect((await request(one, '/me', cookie)).status).toBe(401)
    await until('another token', () => tokenOf(one) !== token)
    await expect(connect(one)).rejects.toMatchObject({ code: 'CS_SIGN_IN' })
  })
})
