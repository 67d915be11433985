/**
 * The card, the queue and what they are made of, in Ink. Load it only where a person sits: Ink and React are not small.
 * @module
 */
export { type ChatTerminal, runChat } from './chat/run-chat.tsx'
export type { CallReceipt, CardWorld, DeskEvent, DeskSource, EditAnswer } from './desk-source.ts'
export { HeldCard, type HeldCardProps } from './held-card.tsx'
export { Line } from './line.tsx'
export { receiptText } from './receipts.tsx'
export { type QueueTerminal, runQueue } from './run-queue.tsx'
export { openTerminalInput, type TerminalInput } from './terminal-input.ts'
export { useKeys } from './use-keys.ts'
export { isTerminalLent, type Suspension, useSuspension } from './use-suspension.ts'
export { useWake } from './use-wake.ts'
