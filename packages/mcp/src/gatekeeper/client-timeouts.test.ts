import { describe, expect, it } from 'vitest'
import { holdLimit } from './client-timeouts.ts'

describe('how long a client is kept waiting', () => {
  it.each([
    ['a client nobody knows, as long as policy says', { mode: 'block' }, 'somebody', null],
    ['a client without a name, too', { mode: 'block' }, null, null],
    ['a client known to give up, a little less than that', { mode: 'block' }, 'claude-ai', 50_000],
    ['what the person said, whoever the client is', { mode: 'block', limitMs: 7 }, 'claude-ai', 7],
    ['what no timer can wait, as long as one can', { mode: 'pending', limitMs: 600 * 3_600_000 }, null, 2 ** 31 - 1],
    ['under `pending`, never without an end', { mode: 'pending' }, 'somebody', 45_000],
  ] as const)('is for %s', (_what, hold, agent, limit) => {
    expect(holdLimit(hold, agent)).toBe(limit)
  })
})
