import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { tamper } from '@countersign/testing/store/test-store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let world: World
beforeEach(async () => {
  world = await openWorld({
    policy: 'version: 1\nrules:\n  - { id: free, tool: free_thing, supervision: automatic }\n',
  })
  await world.gate.run({ id: 'one', tool: 'free_thing', args: { n: 1 } }, () => 1)
  const asked = world.gate.run({ id: 'two', tool: 'send_report', args: {}, description: { kind: 'send' } }, () => 1)
  await world.decide(await onlyHeld(world), { kind: 'reject', reason: 'no' })
  await asked
})
afterEach(() => world.close())

const disagreeing = async () =>
  (await world.desk.history()).flatMap(({ id, disagrees }) => (disagrees === undefined ? [] : [[id, disagrees]]))

describe('A29: a row of the history that is not what the journal says', () => {
  it('is not reported while nobody edits it', async () => expect(await disagreeing()).toEqual([]))

  it.each<[string, string, string]>([
    ['two', 'outcome', "UPDATE call SET outcome = 'completed' WHERE id = 'two'"],
    ['one', 'risk', "UPDATE call SET risk = 'critical' WHERE id = 'one'"],
    ['one', 'tool', "UPDATE call SET tool = 'other' WHERE id = 'one'"],
    ['one', 'agent', "UPDATE call SET agent = 'other' WHERE id = 'one'"],
    ['one', 'rule', "UPDATE call SET rule = 'other' WHERE id = 'one'"],
    ['one', 'supervision', "UPDATE call SET supervision = 'confirm' WHERE id = 'one'"],
    ['one', 'callDigest', `UPDATE call SET "callDigest" = 'other' WHERE id = 'one'`],
    ['two', 'decision', `UPDATE call SET decision = replace(decision, '"reject"', '"approve"') WHERE id = 'two'`],
    ['one', 'entries', "UPDATE entry SET call = NULL WHERE call = 'one'"],
    ['one', 'entries', "UPDATE entry SET call = 'one' WHERE call = 'two'"],
  ])('%s is reported: %s', async (id, column, sql) => {
    await tamper(world.home, sql)
    expect(new Map((await disagreeing()) as never).get(id)).toContain(column)
    expect((await world.desk.past(id))?.disagrees).toContain(column)
  })
})
