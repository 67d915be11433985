import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

it('A31 journals the number of unrecorded refusals of one id at the end, even if no other call follows', async () => {
  world = await openWorld({ policy: 'version: 1\ntools: { thing: automatic }\n' })
  const { ports } = await world.another({ observer: true })
  const ask = () => world.gate.ask({ id: 'one', tool: 'thing', args: {} })
  for (let times = 0; times < 16; times += 1) await ask()
  await world.gate.close()
  const { size } = await ports.store.head()
  const entries = (await ports.store.entries(1, size)).map(({ line }) => JSON.parse(line))
  const refused = entries.filter(({ kind, call }) => kind === 'refused' && call === 'one')
  expect(refused.map(({ unwritten }) => unwritten ?? 0)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5])
})
