import { describe, expect, it } from 'vitest'
import { openLineMatcher } from './line-matcher.ts'

/** Linear, but with a factor that takes minutes for these lines. */
const ENDLESS = { pattern: '(?:(?:a|b|ab){0,30}){30}[x-z]', regex: true, anyCase: false }
const LINES = Array.from({ length: 50 }, () => 'ab'.repeat(10_000))

describe('a slow regular expression', () => {
  it('is stopped at its timeout, without blocking this thread', async () => {
    const matcher = await openLineMatcher(ENDLESS, new AbortController().signal, 300)
    let turns = 0
    const beat = setInterval(() => (turns += 1), 10)
    expect(await matcher.find(LINES, 10)).toBeNull()
    clearInterval(beat)
    expect(turns).toBeGreaterThan(1)
  })

  it('stops when aborted', async () => {
    const stop = new AbortController()
    const matcher = await openLineMatcher(ENDLESS, stop.signal)
    const found = expect(matcher.find(LINES, 10)).rejects.toThrow('enough')
    stop.abort(new Error('enough'))
    await found
  })
})
