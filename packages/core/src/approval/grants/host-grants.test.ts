import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'
import type { Call } from '../../call/call.ts'

let world: World
afterEach(() => world.close())

const fetching = (url: string): Call => ({ tool: 'fetch_url', args: { url } })
const running = (command: string): Call => ({ tool: 'execute_command', args: { command }, containable: true })

describe('a host', () => {
  it('is asked about once per session if the person allows it, for tools and commands alike', async () => {
    world = await openWorld()
    const ran = world.gate.run(fetching('https://unknown.example/a'), () => 'ran')
    const [view] = await world.held()
    if (view === undefined) throw new Error('the call is not held')
    expect(view.offers.map(({ scope, words, lifetimes }) => [scope.kind, words, lifetimes[0]?.kind])).toEqual([
      ['exact', '`fetch_url` with exactly these arguments', 'uses'],
      ['network', 'contact with `unknown.example`', 'session'],
    ])
    const offer = view.offers.find(({ scope }) => scope.kind === 'network')
    const lifetime = offer?.lifetimes[0]
    if (offer === undefined || lifetime === undefined) throw new Error('nothing is offered')
    await world.decide(view, { kind: 'approve', grant: { scope: offer.scope, lifetime } })
    expect(await ran).toMatchObject({ kind: 'completed' })

    for (const call of [fetching('https://UNKNOWN.example./b'), running('curl -s https://unknown.example/c')])
      expect(await world.gate.run(call, () => 'ran')).toMatchObject({ kind: 'completed' })
    const [grant] = await world.desk.grants().list()
    expect(grant).toMatchObject({ scope: { kind: 'network', host: 'unknown.example' }, uses: 2 })
    expect(await world.desk.wouldMatch(offer.scope)).toMatchObject({ matched: 3, of: 3 })

    // Another host, port or use of it still asks.
    for (const call of [
      fetching('https://other.example/'),
      fetching('https://unknown.example:8443/'),
      running('curl -d @notes.txt https://unknown.example/'),
    ]) {
      const asked = world.gate.run(call, () => 'ran')
      const [held] = await world.held()
      if (held === undefined) throw new Error('the call is not held')
      await world.decide(held, { kind: 'reject' })
      expect(await asked).toMatchObject({ kind: 'refusal' })
    }

    await world.desk.grants().revoke(grant?.id ?? '', 'ann')
    const again = world.gate.run(fetching('https://unknown.example/d'), () => 'ran')
    const [held] = await world.held()
    if (held !== undefined) await world.decide(held, { kind: 'reject' })
    expect(await again).toMatchObject({ kind: 'refusal' })
  })
})
