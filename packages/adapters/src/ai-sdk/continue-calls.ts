import { type Message, partsOf } from './words.ts'

/** Lets the SDK go on with one paused call. */
interface Continued {
  readonly type: 'tool-approval-response'
  readonly approvalId: string
  readonly approved: true
}

/**
 * The messages that resume a run whose calls were paused: the SDK then executes each paused call, and the gate looks up its
 * decision. Run it in any process, as often as you like: it approves nothing.
 */
export function continueCalls<One extends Message>(
  messages: readonly One[],
): (One | { readonly role: 'tool'; readonly content: Continued[] })[] {
  const answered = new Set(approvalsIn(messages, 'tool-approval-response'))
  const open = approvalsIn(messages, 'tool-approval-request').filter((approvalId) => !answered.has(approvalId))
  if (open.length === 0) return [...messages]
  const content = open.map((approvalId) => ({ type: 'tool-approval-response', approvalId, approved: true }) as const)
  return [...messages, { role: 'tool', content }]
}

function approvalsIn(messages: readonly Message[], type: string): readonly string[] {
  return messages.flatMap((message) =>
    partsOf(message).flatMap((part) => {
      const { approvalId } = part as { readonly approvalId?: unknown }
      return part.type === type && typeof approvalId === 'string' ? [approvalId] : []
    }),
  )
}
