/**
 * Puts the tools of LangChain (`langchain`) and LangGraph (`@langchain/langgraph`) behind a gate.
 * @module
 */

export type { Durable, GateOptions, TicketBook, ToolOptions, Words } from '../call/options.ts'
export type { AskingGate } from '../gate/asking-gate.ts'
export { RefusedCall } from '../gate/refused-call.ts'
export { continueRun, type PausedCall } from './continue-run.ts'
export { type AgentTool, type AgentToolOptions, gateTools } from './gate-tools.ts'
