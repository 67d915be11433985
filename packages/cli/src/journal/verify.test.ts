import { describe, expect, it } from 'vitest'
import { proofWords } from './verify.ts'

const intact = {
  kind: 'intact',
  size: 10,
  root: '',
  frontier: '',
  archived: 0,
  signedTo: 10,
  keptTo: 10,
  unproven: 0,
} as const

describe('the proof of an intact journal', () => {
  it.each([
    ['nothing if it is empty', { size: 0, signedTo: 0, keptTo: 0 }, /^proves nothing/],
    [
      'everything up to a kept head',
      {},
      /entries 1 to 10 are unchanged since a kept checkpoint was signed; does not protect against someone/,
    ],
    ['nothing after the kept head', { keptTo: 7 }, /1 to 7 .*does not prove that entries after 7 are complete/],
    ['weaker with checkpoints inside the store', { keptTo: 0 }, /does not prove that the whole store was not replaced/],
    ['only its own consistency without a head', { keptTo: 0, signedTo: 0 }, /only that the entries are consistent/],
  ])('is %s', (_, more, words) => {
    expect(proofWords({ ...intact, ...more })).toMatch(words)
  })
})
