import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../../call/json/json.ts'
import { MAX_SHOWN_DEFINITION } from './tool-definition.ts'

let world: World
afterEach(() => world.close())

const POLICY = 'version: 1\nrules:\n  - { tool: "*", supervision: confirm }\n'
const SCHEMA = { description: 'Pays.', inputSchema: { type: 'object', properties: { amount: { type: 'number' } } } }

async function held(definition?: Json) {
  world = await openWorld({ policy: POLICY })
  const tool = { name: 'pay', ...(definition === undefined ? {} : { definition }) }
  await world.gate.submit({ tool, args: { amount: 1 } })
  return onlyHeld(world)
}

describe('the definition of a held call’s tool', () => {
  it('is the one its caller sent, in the process that holds the call and in others', async () => {
    const { id } = await held(SCHEMA)
    const other = await world.another()
    expect(await world.desk.definition(id)).toEqual(SCHEMA)
    expect(await other.desk.definition(id)).toEqual(SCHEMA)
  })

  it('is always the one that was hashed, even if the caller changes it later (A20)', async () => {
    world = await openWorld({ policy: POLICY })
    const definition = structuredClone(SCHEMA)
    const leaving = new AbortController()
    const asked = world.gate.ask({ tool: { name: 'pay', definition }, args: { amount: 1 } }, leaving.signal)
    const { id } = await onlyHeld(world)
    definition.inputSchema.properties.amount.type = 'string'
    expect([null, SCHEMA]).toContainEqual(await world.desk.definition(id))
    leaving.abort()
    await asked
  })

  it('is null if the tool has none, if it is too large, and after the call ends', async () => {
    const { id } = await held()
    expect(await world.desk.definition(id)).toBeNull()
    expect(await world.desk.definition('nobody')).toBeNull()
    await world.close()
    const large = await held({ ...SCHEMA, description: 'x'.repeat(MAX_SHOWN_DEFINITION) })
    expect(await world.desk.definition(large.id)).toBeNull()
    await world.close()
    const over = await held(SCHEMA)
    await world.gate.withdraw({ kind: 'ticket', callId: over.id })
    expect(await world.desk.definition(over.id)).toBeNull()
  })
})
