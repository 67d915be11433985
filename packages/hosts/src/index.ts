export type { JoinedAgent, WaitingAgent } from './answer/answer-event.ts'
export { answerHook, type HookWorld, refuseEvent } from './answer/answer-hook.ts'
export { readTicket, type SessionTicket } from './answer/contained-command.ts'
export { type HookRequest, readHookRequest } from './answer/hook-request.ts'
export type { Candidate, DrivenHost, ProbeResult } from './canary/index.ts'
export { loadCanary } from './canary/load-canary.ts'
export { type AgentState, agentStates, type ProofState, stateWords } from './canary/proof/agent-states.ts'
export { probeWords } from './canary/proof/probe.ts'
export type { HostAnswer, Printed } from './contract/host-answer.ts'
export { NOTHING } from './contract/host-answer.ts'
export type { HostContract, InstalledEvent } from './contract/host-contract.ts'
export type { AfterTool, BeforeTool, HostEvent, HostTool, SubAgent } from './contract/host-event.ts'
export { HOST_NAMES, type HostName, isHostName } from './contract/host-name.ts'
export { clineScript } from './hosts/cline-script.ts'
export { contractOf } from './hosts/contracts.ts'
export { opencodePlugin } from './hosts/opencode-plugin.ts'
export { type Carried, type ForeignFile, SOURCES, type Source } from './rules/carried.ts'
export { loadRules } from './rules/load-rules.ts'
export {
  type Asking,
  type HostSetup,
  isHostToken,
  newHostToken,
  readHostSetup,
  removeHostSetup,
  writeHostSetup,
} from './sessions/host-setup.ts'
export type { UntrustedHook } from './settings/codex-trust.ts'
export type { FoundAgent, Machine } from './settings/detect-agents.ts'
export { loadSettings } from './settings/load-settings.ts'
export type { AgentPlan, PlannedFile, PlanOptions } from './settings/plan-setup.ts'
export type { UndoPlan } from './settings/undo-setup.ts'
