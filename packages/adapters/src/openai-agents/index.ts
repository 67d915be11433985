/**
 * Puts the tools of OpenAI Agents (`@openai/agents`) behind a gate.
 * @module
 */

export type { Durable, GateOptions, TicketBook, ToolOptions, Words } from '../call/options.ts'
export type { AskingGate } from '../gate/asking-gate.ts'
export { RefusedCall } from '../gate/refused-call.ts'
export { continueRun, type InterruptedState } from './continue-run.ts'
export { type AgentOptions, gateAgent, type SdkAgent } from './gate-agent.ts'
export { type AgentTool, type AgentToolOptions, gateTools } from './gate-tools.ts'
