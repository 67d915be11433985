import { expect, it } from 'vitest'
import { type Became, becameWords, hasEffect } from './became.ts'

it.each<[Became, boolean, RegExp]>([
  [{ kind: 'over', outcome: 'completed' }, true, /completed/],
  [{ kind: 'over', outcome: 'failed' }, true, /ran and failed/],
  [{ kind: 'running' }, true, /is running/],
  [{ kind: 'waiting' }, true, /has not started yet/],
  [{ kind: 'over', outcome: 'stale' }, false, /did not run: stale/],
  [{ kind: 'over', outcome: 'denied' }, false, /did not run: denied/],
])('an approved call that is %j had an effect: %s', (became, effect, words) => {
  expect(hasEffect(became)).toBe(effect)
  expect(becameWords(became)).toMatch(words)
})
