import type { Words } from '../call/options.ts'

/** A message of the conversation, as far as it matters here: the SDK's `ModelMessage`. */
export interface Message {
  readonly role: string
  readonly content: unknown
}

interface Part {
  readonly type?: unknown
  readonly text?: unknown
  readonly toolCallId?: unknown
}

/**
 * The model's words before a call: of the message that made it, which a resumed run has, or else of the last message since the
 * user spoke. The SDK hands over no others while a message is still being written.
 */
export function wordsBefore(messages: readonly Message[] | undefined, toolCallId: string): Words {
  if (!Array.isArray(messages)) return {}
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
  const message = messageOf(since, toolCallId) ?? since.findLast(isFromModel)
  if (message === undefined) return {}
  const said = typeof message.content === 'string' ? message.content : textOf(message, 'text')
  const reasoning = textOf(message, 'reasoning')
  return { ...(said === '' ? {} : { said }), ...(reasoning === '' ? {} : { reasoning }) }
}

/** The message that made a call. Only a resumed run has it: a call is executed before its message is complete. */
export function messageOf(messages: readonly Message[] | undefined, toolCallId: string): Message | undefined {
  if (!Array.isArray(messages)) return undefined
  return messages.find((one) => isFromModel(one) && partsOf(one).some((part) => part.toolCallId === toolCallId))
}

function isFromModel({ role }: Message): boolean {
  return role === 'assistant'
}

function textOf(message: Message, type: 'text' | 'reasoning'): string {
  return partsOf(message)
    .flatMap((part) => (part.type === type && typeof part.text === 'string' ? [part.text] : []))
    .join('\n')
}

/** The parts of a message; none if it is only text. */
export function partsOf({ content }: Message): readonly Part[] {
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : []
}
