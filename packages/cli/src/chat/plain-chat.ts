import type { OpenedView } from '@countersign/core'
import { createPaint } from '@countersign/terminal/card'
import { type ChatEvent, type ChatRow, EMPTY_CHAT, type Gutter, rowLines, stepChat } from '@countersign/terminal/chat'
import type { Conversation } from './conversation.ts'

/** Options for printing a conversation as plain lines. */
export interface PlainLook {
  readonly columns: number
  readonly color: boolean
  /** Prefix of the agent's own text. */
  readonly gutter?: Gutter
  /** The undo command, without the call's name. */
  readonly undo?: string
  print(line: string, row: ChatRow): void
  /** Called when a call is held. */
  onHeld?(opened: OpenedView): void
  onRow?(row: ChatRow): void
}

/** Prints a conversation as plain lines, with the same rows as on the screen. Returns an unsubscribe function. */
export function printChat(conversation: Conversation, look: PlainLook): () => void {
  const paint = createPaint(look.color)
  let state = EMPTY_CHAT
  return conversation.subscribe((event: ChatEvent) => {
    state = stepChat(state, [event])
    const rows = state.done
    state = { ...state, done: [] }
    for (const row of rows) {
      look.onRow?.(row)
      for (const line of rowLines(row, look.columns, paint, look)) look.print(line, row)
    }
    if (event.kind === 'held') look.onHeld?.(event.opened)
  })
}
