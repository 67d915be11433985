import type { Words } from '../call/options.ts'

/** A message of the conversation, as far as it matters here: the SDK's `AIMessage`. */
interface Message {
  readonly content?: unknown
  readonly tool_calls?: unknown
}

interface Part {
  readonly type?: unknown
  readonly text?: unknown
  readonly reasoning?: unknown
  readonly thinking?: unknown
}

/** The model's words in the message that made a call, from the state of the graph. */
export function wordsIn(state: unknown, toolCallId: string | undefined): Words {
  const message = toolCallId === undefined ? undefined : messagesIn(state).findLast((one) => made(one, toolCallId))
  if (message === undefined) return {}
  const said = typeof message.content === 'string' ? message.content : textOf(message, ['text'])
  const reasoning = textOf(message, ['reasoning', 'thinking'])
  return { ...(said === '' ? {} : { said }), ...(reasoning === '' ? {} : { reasoning }) }
}

/** A graph's state is its messages, or has them. */
function messagesIn(state: unknown): readonly Message[] {
  const { messages = state } = Object(state)
  return Array.isArray(messages) ? messages.filter((one) => typeof one === 'object' && one !== null) : []
}

function made({ tool_calls: calls }: Message, toolCallId: string): boolean {
  return Array.isArray(calls) && calls.some((call) => Object(call).id === toolCallId)
}

function textOf({ content }: Message, types: readonly (keyof Part)[]): string {
  if (!Array.isArray(content)) return ''
  const parts = content.map((part): Part => Object(part))
  return parts
    .flatMap((part) =>
      types.flatMap((type) => (part.type === type && typeof part[type] === 'string' ? part[type] : [])),
    )
    .join('\n')
}
