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

describe('what an intact journal proves', () => {
  it.each([
    ['nothing when it is empty', { size: 0, signedTo: 0, keptTo: 0 }, /^proves nothing/],
    [
      'all of it up to a kept head',
      {},
      /entries 1 to 10 are unchanged since a kept checkpoint was signed; does not protect against someone/,
    ],
    ['not what came after the kept head', { keptTo: 7 }, /1 to 7 .*does not prove that entries after 7 are complete/],
    ['less by checkpoints inside the store', { keptTo: 0 }, /does not prove that the whole store was not replaced/],
    ['only its own form without any head', { keptTo: 0, signedTo: 0 }, /only that the entries are consistent/],
  ])('is %s', (_, more, words) => {
    expect(proofWords({ ...intact, ...more })).toMatch(words)
  })
})
