/**
 * A conversation as data and as plain lines: no Ink, no terminal, no clock.
 * @module
 */
export type { Gutter } from './agent-lines.ts'
export type { ChatCommand, ChatEvent, ChatSource, ChatStatus, GrantLine, ToolState } from './chat-source.ts'
export { type ChatRow, type ChatState, EMPTY_CHAT, stepChat, type ToolRow } from './chat-state.ts'
export { rowLines } from './row-lines.ts'
