import { afterAll, beforeAll, expect, it } from 'vitest'
import { QueueApp } from '../../../packages/terminal/src/queue/app.tsx'
import { type Arena, openArena } from '../harness/run-row.ts'
import { ASK_EACH, compareSixty, measureFatigue, readSteps } from './run-sixty.ts'

/** How many steps may be asked about or end differently. */
const LIMIT = 4
/** How many may be asked about where no sandbox works. The number may only get smaller. */
const LIMIT_WITHOUT = 12
/** Key presses for all of them. The number may only get smaller. */
const LIMIT_PRESSES = 13

let arena: Arena
beforeAll(async () => {
  arena = await openArena()
})
afterAll(() => arena.close())

it('asks about few of sixty everyday steps with a sandbox, and those it does not ask about end the same', async () => {
  expect(readSteps()).toHaveLength(60)
  const compared = await compareSixty({ preset: 'balanced', sandbox: 'real' }, arena)
  const disturbed = compared
    .filter(({ asked, differs }) => asked || differs !== '')
    .map(({ step, asked, differs, why }) => `${step}: ${asked ? `asked, ${why}` : differs}`)
  console.info(`${disturbed.length} of 60 everyday steps disturbed with a sandbox`)
  expect(disturbed.length, disturbed.join('\n')).toBeLessThanOrEqual(LIMIT)
}, 300_000)

it('asks about no more of them without a sandbox than before, and the rest end the same', async () => {
  const compared = await compareSixty({ preset: 'balanced', sandbox: 'none' }, arena)
  const asked = compared.filter((one) => one.asked).map(({ step, why }) => `${step}: ${why}`)
  console.info(`${asked.length} of 60 everyday steps asked about without a sandbox`)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(LIMIT_WITHOUT)
  expect(compared.filter((one) => !one.asked && one.differs !== '')).toEqual([])
}, 300_000)

it('takes few key presses for each of its questions, and far fewer in all than asking one by one', async () => {
  const now = await measureFatigue({ preset: 'balanced', sandbox: 'real' }, arena, QueueApp)
  const before = await measureFatigue({ preset: 'balanced', sandbox: 'none' }, arena, QueueApp, ASK_EACH)
  console.info(`questions and presses: ${JSON.stringify({ now, before })}`)
  expect(now.questions).toBeLessThanOrEqual(LIMIT)
  expect(now.presses).toBeLessThanOrEqual(LIMIT_PRESSES)
  expect(now.presses * 2).toBeLessThan(before.presses)
}, 300_000)
