import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyVersions } from '../../ports/policy-files.ts'
import type { PolicySet, PresetRow, Rule } from '../model/rule.ts'
import { BUILTIN } from '../presets/compiled/presets.ts'
import { DEFAULT_TIMEOUT_MS } from '../schema/duration.ts'
import { asFloors } from './layer-rules.ts'
import { loadBuiltin, strictestRow } from './preset.ts'

const MANUAL: PresetRow = {
  preset: 'held',
  byRisk: { none: 'manual', low: 'manual', medium: 'manual', high: 'manual', critical: 'manual' },
  undescribed: 'manual',
  contained: 'proven',
  ignoresDeclarations: false,
}

/**
 * The policy if some file could not be loaded: every call is `manual`, and grants don't apply. INVARIANT: L3. It is not
 * `confirm`, because the unreadable file may deny the call. INVARIANT: L2. The other files' denies, floors and requirements
 * stay, so that an asker can't remove them by writing an invalid file into its workspace.
 */
export function failClosedPolicy(
  reason: string,
  crypto: Crypto,
  rest: PolicySet = nothing(crypto),
  versions?: PolicyVersions,
): PolicySet {
  const text = JSON.stringify(['countersign/policy/v1', 'held', reason, rest.hash, rest.passkeyFrom ?? null])
  const hash = crypto.sha256(text)
  versions?.keep(hash, text)
  return {
    ...rest,
    rules: [...rest.rules, everything(reason)],
    row: strictestRow('held', [MANUAL, rest.row]),
    hash,
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
    reason: `the policy could not be applied as written: ${reason}`,
  }
}

/** If no file could be read, a passkey is required from high risk up, because a file may require one. */
export function unreadPolicy(reason: string, crypto: Crypto, versions?: PolicyVersions): PolicySet {
  return failClosedPolicy(reason, crypto, { ...nothing(crypto), passkeyFrom: 'high' }, versions)
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
