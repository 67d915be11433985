import { describe, expect, it } from 'vitest'
import { createPaint, wantsColor } from './color.ts'

describe('colours', () => {
  it.each([
    [{}, true, undefined, true],
    [{}, false, undefined, false],
    [{ NO_COLOR: '1' }, true, undefined, false],
    [{ NO_COLOR: '' }, true, undefined, true],
    [{ TERM: 'dumb' }, true, undefined, false],
    [{ FORCE_COLOR: '1' }, false, undefined, true],
    [{ FORCE_COLOR: '0' }, true, undefined, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true, undefined, true],
    [{ FORCE_COLOR: '1' }, true, false, false],
  ])('with %j, on a terminal: %s, flag %s: %s', (env, isTty, flag, wanted) => {
    expect(wantsColor(env, isTty, flag)).toBe(wanted)
  })

  it('leave the text alone when there are none', () => {
    expect(createPaint(false)('x', 'red', 'bold')).toBe('x')
    expect(createPaint(true)('x', 'red', 'bold')).toBe('\x1b[31;1mx\x1b[0m')
  })
})
