import { describe, expect, it } from 'vitest'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import { strictestAgentPrompts } from '../load/merged-settings.ts'
import type { Case } from '../match/call-unit.ts'
import type { AgentPrompts, PolicySet } from '../model/rule.ts'
import type { Supervision } from '../model/supervision.ts'
import type { Verdict } from '../model/verdict.ts'
import { withAgentPrompt } from './agent-prompt.ts'

const ASKED = { supervision: 'confirm', limit: null, contributors: [{ id: 'preset.balanced.medium' }] }

interface Given {
  readonly verdict?: Partial<Verdict>
  readonly level?: RiskLevel
  readonly set?: Partial<PolicySet>
  readonly agentPrompt?: boolean
}

function supervisionOf({ verdict, level = 'medium', set = {}, agentPrompt = true }: Given): Supervision {
  const about = { risk: { level }, circumstances: agentPrompt ? { agentPrompt } : {} } as unknown as Case
  const before = { ...ASKED, ...verdict } as unknown as Verdict
  return withAgentPrompt(before, about, { set } as unknown as Policy).supervision
}

describe('the agent’s own prompt', () => {
  it('is enough up to medium risk', () => {
    expect(supervisionOf({})).toBe('notify')
    expect(supervisionOf({ level: 'none' })).toBe('notify')
  })

  it.each<[string, Given, Supervision]>([
    ['if the agent does not ask', { agentPrompt: false }, 'confirm'],
    ['for a high risk', { level: 'high' }, 'confirm'],
    ['for a denied call', { verdict: { supervision: 'deny' } }, 'deny'],
    ['for a call under manual supervision', { verdict: { supervision: 'manual' } }, 'manual'],
    ['above a limit', { verdict: { limit: 'calls' } }, 'confirm'],
    ['while paused', { verdict: { contributors: [{ id: 'x' }, { id: 'pause' }] as never } }, 'confirm'],
    ['if the policy allows none', { level: 'none', set: { agentPrompts: 'none' } }, 'confirm'],
    ['if the policy allows less', { set: { agentPrompts: 'low' } }, 'confirm'],
    ['if a passkey is required', { set: { passkeyFrom: 'medium' } }, 'confirm'],
  ])('is not enough %s', (_, given, supervision) => {
    expect(supervisionOf(given)).toBe(supervision)
  })

  it('is limited by the strictest file', () => {
    const said = (...all: (AgentPrompts | null)[]) => strictestAgentPrompts(all)
    expect(said(null, 'medium', 'low')).toBe('low')
    expect(said('none', 'medium')).toBe('none')
    expect(said(null)).toBeUndefined()
  })
})
