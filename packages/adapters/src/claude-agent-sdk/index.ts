/**
 * Puts the tools of the Claude Agent SDK (`@anthropic-ai/claude-agent-sdk`) behind a gate.
 * @module
 */

export type { ToolOptions, Words } from '../call/options.ts'
export type { AskingGate } from '../gate/asking-gate.ts'
export { RefusedCall } from '../gate/refused-call.ts'
export { type ClaudeOptions, type ClaudeToolOptions, gateOptions } from './gate-options.ts'
