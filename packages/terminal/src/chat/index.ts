/**
 * A conversation as data and as plain lines. Does not use Ink, a terminal or a clock.
 * @module
 */
export type { Gutter } from './transcript/agent-lines.ts'
export { type ChatRow, type ChatState, EMPTY_CHAT, stepChat, type ToolRow } from './transcript/reducer.ts'
export { rowLines } from './transcript/row-lines.ts'
export type { ChatCommand, ChatEvent, ChatSource, ChatStatus, GrantLine, ToolState } from './transcript/source.ts'
