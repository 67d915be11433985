import type { Crypto } from '../../ports/crypto.ts'
import type { PolicySet, PresetRow, Rule } from '../model/rule.ts'
import { BUILTIN } from '../presets/compiled/presets.ts'
import { DEFAULT_TIMEOUT_MS } from '../schema/duration.ts'
import { asFloors } from './layer-rules.ts'
import { loadBuiltin, strictestRow } from './preset.ts'

const MANUAL: PresetRow = {
  preset: 'held',
  byRisk: { none: 'manual', low: 'manual', medium: 'manual', high: 'manual', critical: 'manual' },
  undescribed: 'manual',
  ignoresDeclarations: false,
}

/**
 * What holds when some of the policy could not be loaded: a person decides every call, with care, and no grant speaks
 * for them. INVARIANT: L3. It is manual and not confirm because the file that could not be read may have denied the call.
 * INVARIANT: L2. What the other files deny, raise or demand stays: an asker who can write a bad file into its workspace
 * must not get rid of it.
 */
export function heldPolicy(reason: string, crypto: Crypto, rest: PolicySet = nothing(crypto)): PolicySet {
  return {
    ...rest,
    rules: [...rest.rules, everything(reason)],
    row: strictestRow('held', [MANUAL, rest.row]),
    hash: crypto.sha256(JSON.stringify(['countersign/policy/v1', 'held', reason, rest.hash, rest.passkeyFrom ?? null])),
  }
}

function everything(reason: string): Rule {
  return {
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
    reason: `the policy is not in force as written: ${reason}`,
  }
}

/** Where no file was read at all, whether one demands a passkey is not known: from high on it is demanded. */
export function unreadPolicy(reason: string, crypto: Crypto): PolicySet {
  return heldPolicy(reason, crypto, { ...nothing(crypto), passkeyFrom: 'high' })
}

function nothing(crypto: Crypto): PolicySet {
  return {
    rules: asFloors(loadBuiltin().rules),
    row: MANUAL,
    limits: [],
    timeoutMs: DEFAULT_TIMEOUT_MS,
    hash: crypto.sha256(BUILTIN.text),
  }
}
