import type { HeldSummary } from '@countersign/react'
import { describe, expect, it } from 'vitest'
import { notificationText } from './notifications.ts'

const call = (level: 'medium' | 'critical', expiresAt: number): HeldSummary => ({
  id: level,
  requestDigest: 'd'.repeat(64),
  view: null,
  tool: 'deploy',
  agent: ['coder-1'],
  risk: { level },
  supervision: 'confirm',
  effect: 'the-argument',
  rule: { id: 'r', layer: 'user', file: 'policy.yaml', line: 1 },
  passkey: false,
  batch: null,
  openedAt: 0,
  expiresAt,
  cwd: '/work',
  bytes: 1,
})

describe('a desktop notification', () => {
  it('names risk, tool, agent and time left of a single call', () => {
    expect(notificationText([call('medium', 61_000)], 0)).toEqual({
      title: 'MEDIUM deploy',
      body: 'Agent coder-1 · 1:01 left',
    })
  })

  it('summarizes several calls without naming any', () => {
    const calls = [call('medium', 61_000), call('critical', 300_000), call('medium', 120_000)]
    expect(notificationText(calls, 0)).toEqual({
      title: '3 held calls',
      body: 'Highest risk: CRITICAL · first expires in 1:01',
    })
  })
})
