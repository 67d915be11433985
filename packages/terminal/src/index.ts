/**
 * The card, the queue and the chat, drawn with Ink. Load it only for interactive use: Ink and React are large.
 * @module
 */
export { type ChatTerminal, runChat } from './chat/run.tsx'
export { Line } from './ink/line.tsx'
export { openTerminalInput, type TerminalInput } from './ink/terminal-input.ts'
export { useKeys } from './ink/use-keys.ts'
export { isTerminalLent, type Suspension, useSuspension } from './ink/use-suspension.ts'
export { useWake } from './ink/use-wake.ts'
export { receiptText } from './queue/receipts.tsx'
export { type QueueTerminal, runQueue } from './queue/run.tsx'
export type { CallReceipt, CardWorld, DeskEvent, DeskSource, EditAnswer } from './review/approval-source.ts'
export { HeldCard, type HeldCardProps } from './review/held-card.tsx'
export { pickUndo, type UndoTerminal } from './undo/run.tsx'
