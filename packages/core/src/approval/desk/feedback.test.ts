import { openWorld, type World } from '@countersign/testing/gate/world'
import { afterEach, beforeEach, expect, it } from 'vitest'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.close())

async function decidedCall(kind: 'approve' | 'reject' = 'approve'): Promise<string> {
  const asked = world.gate.run({ tool: 'send_email', args: { to: 'a@example.com' } }, () => 'sent')
  const [view] = await world.held()
  if (view === undefined) throw new Error('it was not held')
  await world.decide(view, { kind, reason: 'because' })
  await asked
  return view.id
}

const answers = async (id: string) =>
  (await world.entries()).filter(({ kind, call }) => kind === 'feedback' && call === id).map(({ answer }) => answer)

it('records an answer once, and the last one counts for its rule', async () => {
  const [one, other] = [await decidedCall(), await decidedCall('reject')]
  await world.desk.feedback(one, 'worth-asking', 'terminal')
  await world.desk.feedback(one, 'worth-asking', 'terminal')
  expect(await answers(one)).toEqual(['worth-asking'])
  await world.desk.feedback(one, 'not-worth-asking', 'web')
  await world.desk.feedback(other, 'worth-asking', 'web')
  expect(await world.desk.feedbackByRule()).toEqual([{ rule: 'preset.balanced.medium', worth: 1, notWorth: 1 }])
})

it('changes no verdict', async () => {
  const call = { tool: 'send_email', args: { to: 'a@example.com' } }
  const before = await world.gate.explain(call)
  await world.desk.feedback(await decidedCall(), 'not-worth-asking', 'web')
  expect(await world.gate.explain(call)).toEqual(before)
})

it('refuses calls that nobody decided, other answers, and more answers than are kept', async () => {
  const ran = await world.gate.run({ id: 'ran', tool: 'read_file', args: { path: 'a' } }, () => 'text')
  expect(ran.kind).toBe('completed')
  for (const id of ['ran', 'nothing'])
    await expect(world.desk.feedback(id, 'worth-asking', 'web')).rejects.toMatchObject({ code: 'CS_DECISION_UNKNOWN' })
  const id = await decidedCall()
  await expect(world.desk.feedback(id, 'always-allow' as never, 'web')).rejects.toMatchObject({ code: 'CS_USAGE' })
  for (let at = 0; at < 8; at += 1)
    await world.desk.feedback(id, at % 2 === 0 ? 'worth-asking' : 'not-worth-asking', 'web')
  await expect(world.desk.feedback(id, 'worth-asking', 'web')).rejects.toMatchObject({ code: 'CS_QUEUE_FULL' })
})
