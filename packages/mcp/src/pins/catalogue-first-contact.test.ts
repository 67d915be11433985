import { join } from 'node:path'
import { openCrypto, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../identity/server-identity.ts'
import { contactServer, createCatalogue } from './create-catalogue.ts'

const tool = (name: string) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' } })
const FIRST = { cursor: null }

/** One server with two clients. */
function meet() {
  const home = openHome(join(temporaryFolder(), 'home'))
  const crypto = openCrypto(home)
  const server = serverIdentity({ command: ['node', 'notes.js'] }, crypto)
  const about = { home, label: 'notes', server, crypto, now: () => 1000, report() {} }
  const met = contactServer(about)
  return [createCatalogue(about, met), createCatalogue(about, met)] as const
}

describe('the first contact', () => {
  it('is still open after a call that found no list', async () => {
    const [one] = meet()
    expect(one.find('read')).toMatchObject({
      kind: 'unadvertised',
      why: expect.stringContaining('has not listed its tools'),
    })
    await one.take({ tools: [tool('read')] }, FIRST)
    expect(one.find('read').kind).toBe('accepted')
    expect(one.find('write')).toMatchObject({ why: expect.stringContaining('does not list it') })
  })

  it('ends for all clients with the first call after a page of a list', async () => {
    const [one, other] = meet()
    await one.take({ tools: [tool('read')], nextCursor: '2' }, FIRST)
    expect(other.find('read').kind).toBe('accepted')
    await one.take({ tools: [tool('write')] }, { cursor: '2' })
    await other.take({ tools: [tool('read'), tool('write')] }, FIRST)
    expect([one, other].map((client) => client.find('write').kind)).toEqual(['quarantined', 'quarantined'])
  })
})

describe('two clients of one server', () => {
  it('each have the tools listed to them', async () => {
    const [one, other] = meet()
    await one.take({ tools: [tool('read'), tool('write')] }, FIRST)
    await other.take({ tools: [tool('read')] }, FIRST)
    expect(['read', 'write'].map((name) => one.find(name).kind)).toEqual(['accepted', 'accepted'])
    expect(['read', 'write'].map((name) => other.find(name).kind)).toEqual(['accepted', 'unadvertised'])
  })
})
