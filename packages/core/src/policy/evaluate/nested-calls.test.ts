import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import { assessCall } from '../../risk/assess-call.ts'
import { TEST_PLACES } from '../authoring/test-places.ts'
import { compilePolicy } from '../compile/compiled-policy.ts'
import { loadPolicy } from '../load/policy.ts'
import type { Circumstances } from '../model/circumstances.ts'
import type { Grant } from '../model/grant.ts'
import { nestedRequirements } from './nested-calls.ts'

const crypto = { sha256: (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex') } as Crypto

it('evaluates the rules for nested calls once, for all grants that are checked or offered', () => {
  const text = 'version: 1\nrules:\n  - { id: asks, tool: deploy, supervision: confirm }\n'
  const files = [{ layer: 'user', name: 'policy.yaml', text, trusted: false } as const]
  const loaded = loadPolicy(files, { checkers: [], crypto, defaultPreset: 'balanced' })
  if (loaded.kind === 'refused') throw new Error(loaded.problems[0]?.message)
  const policy = compilePolicy(loaded.policy)
  const { call, risk } = assessCall({ tool: 'batch', args: { calls: [{ tool: 'deploy' }] } }, TEST_PLACES, crypto)
  const now: Circumstances = { now: 0, places: TEST_PLACES, resolved: new Map(), counters: {}, grants: [] }
  const demands = nestedRequirements(call, risk, policy, now)
  expect(demands.map(({ tool }) => tool)).toEqual(['deploy'])
  expect(nestedRequirements(call, risk, policy, { ...now, grants: [{} as Grant] })).toBe(demands)
  expect(nestedRequirements(call, risk, policy, { ...now, now: 1 })).not.toBe(demands)
})
