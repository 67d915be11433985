import { writeHostSetup } from '@countersign/hosts'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'

describe('the coding agents behind the gate', () => {
  it('are listed with what is known of each', async () => {
    const { home, json } = await openServiceWorld()
    expect(await json('/agents')).toEqual({ agents: [] })
    for (const host of ['claude-code', 'cursor'] as const)
      writeHostSetup(home, host, { tokenHash: '0', within: [], asking: 'desk' })
    expect(await json('/agents')).toMatchObject({
      agents: [
        { host: 'claude-code', state: 'never tried', version: null, at: null, runsAnyway: [] },
        { host: 'cursor', state: 'contract only', words: 'Cursor: can’t be tested without an account' },
      ],
    })
  })
})
