import { describe, expect, it } from 'vitest'
import { wantsColor } from './color-preference.ts'

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
})
