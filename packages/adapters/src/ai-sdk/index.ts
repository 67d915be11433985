/**
 * Puts the tools of the AI SDK (`ai`, versions 6 and 7) behind a gate.
 * @module
 */

export type { Durable, GateOptions, TicketBook, ToolOptions, Words } from '../call/options.ts'
export type { AskingGate } from '../gate/asking-gate.ts'
export { RefusedCall } from '../gate/refused-call.ts'
export { continueCalls } from './continue-calls.ts'
export { type AiToolOptions, type AiTools, gateTools, type InputOf } from './gate-tools.ts'
