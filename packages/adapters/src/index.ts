/**
 * What all adapters share.
 * @module
 */

export type { Durable, GateOptions, TicketBook, ToolOptions, Words } from './call/options.ts'
export type { AskingGate, GivenAnswer, GivenPermit, KeyedTicket, LocalGate, ServiceGate } from './gate/asking-gate.ts'
export { RefusedCall } from './gate/refused-call.ts'
