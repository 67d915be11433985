/**
 * Puts coding agents behind the gate by editing their settings.
 * @module
 */
export { applyFile, applySetup } from './apply-setup.ts'
export { untrustedCodexHooks } from './codex-trust.ts'
export { detectAgents } from './detect-agents.ts'
export { AGENTS } from './hosts/agents.ts'
export { UNANSWERED, withoutTokens } from './hosts/hook-line.ts'
export { isChange, planSetup, planTrust } from './plan-setup.ts'
export { applyUndo, planStray, planUndo } from './undo-setup.ts'
