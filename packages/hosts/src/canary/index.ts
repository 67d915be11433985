/**
 * The canary: starts real coding agents with a stand-in model, and checks that the gate holds their calls.
 * @module
 */
export { DRIVEN_HOSTS, type DrivenHost } from './drivers/host-driver.ts'
export { fileMark, keepProof } from './proof/keep-proof.ts'
export { helpFor, isAsItShould, isProven, type ProbeResult, probeWords } from './proof/probe.ts'
export { type Candidate, tryAgent } from './proof/try-agent.ts'
export { checkSettings, type SettingsCheck } from './settings/check-settings.ts'
