import type { OpenedView } from '@countersign/core'
import { createPaint } from '@countersign/terminal/card'
import { type ChatEvent, type ChatRow, EMPTY_CHAT, type Gutter, rowLines, stepChat } from '@countersign/terminal/chat'
import type { Conversation } from './conversation.ts'

/** How a conversation is printed line by line. */
export interface PlainLook {
  readonly columns: number
  readonly color: boolean
  /** What stands before the agent's own words; nothing where they go alone. */
  readonly gutter?: Gutter
  /** How a call is undone from here, without its name. */
  readonly undo?: string
  print(line: string, row: ChatRow): void
  /** A call is held; whoever decides it does so from here. */
  onHeld?(opened: OpenedView): void
  onRow?(row: ChatRow): void
}

/** Prints a conversation as it goes, the same rows as on the screen; the returned function ends it. */
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
