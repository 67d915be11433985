import { describe, expect, it } from 'vitest'
import { openLineMatcher } from './line-matcher.ts'

/** Linear, and with a factor that takes minutes for these lines. */
const ENDLESS = { pattern: '(?:(?:a|b|ab){0,30}){30}[x-z]', regex: true, anyCase: false }
const LINES = Array.from({ length: 50 }, () => 'ab'.repeat(10_000))

describe('an expression that takes too long', () => {
  it('is given up after its time, and this thread goes on meanwhile', async () => {
    const matcher = await openLineMatcher(ENDLESS, new AbortController().signal, 300)
    let turns = 0
    const beat = setInterval(() => (turns += 1), 10)
    expect(await matcher.find(LINES, 10)).toBeNull()
    clearInterval(beat)
    expect(turns).toBeGreaterThan(1)
  })

  it('ends when it is told to', async () => {
    const stop = new AbortController()
    const matcher = await openLineMatcher(ENDLESS, stop.signal)
    const found = expect(matcher.find(LINES, 10)).rejects.toThrow('enough')
    stop.abort(new Error('enough'))
    await found
  })
})
