import { isJsonObject } from '@countersign/core'
import type { ModelMessage } from 'ai'
import type { AskedCall, Message } from './model.ts'

type ProviderOptions = NonNullable<ModelMessage['providerOptions']>
type AgentContent = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>

/** A conversation as the AI SDK wants it. A message without content is left out: providers refuse those. */
export function toSdkMessages(messages: readonly Message[]): ModelMessage[] {
  return messages.map(toSdkMessage).filter(({ content }) => content.length > 0)
}

function toSdkMessage(message: Message): ModelMessage {
  switch (message.role) {
    case 'person':
      return { role: 'user', content: message.text }
    case 'agent': {
      const text: AgentContent = message.text === '' ? [] : [{ type: 'text', text: message.text }]
      return { role: 'assistant', content: [...text, ...message.calls.map(callPart)] }
    }
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ id, tool, text, isError }) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: tool,
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      }
  }
}

function callPart({ id, tool, args, carried }: AskedCall): AgentContent[number] {
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: tool,
    // Providers want an object: what could not be read as one is told of in the call's result.
    input: isJsonObject(args) ? args : {},
    ...(carried === undefined ? {} : { providerOptions: carried as ProviderOptions }),
  }
}
