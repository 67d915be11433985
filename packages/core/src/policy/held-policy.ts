import type { Crypto } from '../ports/crypto.ts'
import { DEFAULT_TIMEOUT_MS } from './duration.ts'
import { asFloors } from './layer-rules.ts'
import { BUILTIN_TEXT } from './presets/embedded-builtin.ts'
import { loadBuiltin } from './presets.ts'
import type { PolicySet } from './rule.ts'

/**
 * What holds when no policy could be loaded: a person decides every call, with care, and no grant speaks for them.
 * INVARIANT: L3. It is manual and not confirm because the file that could not be read may have denied the call.
 */
export function heldPolicy(reason: string, crypto: Crypto): PolicySet {
  return {
    rules: [
      ...asFloors(loadBuiltin().rules),
      {
        id: 'no-policy',
        layer: 'builtin',
        file: 'builtin.yaml',
        line: 1,
        when: {},
        unless: null,
        supervision: 'manual',
        floor: true,
        upTo: 'medium',
        checks: [],
        timeoutMs: null,
        reason: `no policy is in force: ${reason}`,
      },
    ],
    row: {
      preset: 'held',
      byRisk: { none: 'manual', low: 'manual', medium: 'manual', high: 'manual', critical: 'manual' },
      undescribed: 'manual',
      ignoresDeclarations: false,
    },
    limits: [],
    timeoutMs: DEFAULT_TIMEOUT_MS,
    hash: crypto.sha256(JSON.stringify(['countersign/policy/v1', 'held', reason, BUILTIN_TEXT])),
  }
}
