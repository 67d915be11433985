import type { RiskLevel, SafeText } from '@countersign/core'
import type { ChatRow } from '@countersign/terminal/chat'
import type { Conversation } from '../chat/conversation.ts'
import { printChat } from '../chat/plain-chat.ts'

/** How one call of the demonstration ended. */
export interface Played {
  readonly tool: SafeText
  readonly agent: SafeText | null
  readonly effect: SafeText | null
  readonly risk: RiskLevel | null
  readonly asked: boolean
  readonly outcome: string
}

/** Keeps what became of every call, in the order they ended. */
export function keepPlayed(conversation: Conversation): readonly Played[] {
  const played: Played[] = []
  printChat(conversation, {
    columns: 80,
    color: false,
    print() {},
    onRow: (row) => played.push(...playedOf(row)),
  })
  return played
}

function playedOf(row: ChatRow): readonly Played[] {
  if (row.kind !== 'tool') return []
  const { tool, agent, effect, risk, heldAt, state } = row
  return [{ tool, agent, effect, risk, asked: heldAt !== null, outcome: state }]
}
