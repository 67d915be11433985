import { type IntentTags, isJsonObject, type JsonObject } from '@countersign/core'
import type { LanguageModel, ModelMessage, TextStreamPart, ToolSet } from 'ai'
import type { AskedCall, Message, Model, ModelPart, ToolOffer } from './model.ts'
import { explainFailure } from './provider-error.ts'

/** An AI SDK model object; a bare name would go to a third-party gateway. */
export type SdkModel = Exclude<LanguageModel, string>

/**
 * Wraps an AI SDK model. Its tools have no `execute` and it takes one step, so the SDK runs nothing itself. INVARIANT:
 * L1.
 */
export function aiSdkModel(name: string, model: SdkModel): Model {
  return {
    name,
    async *turn({ system, messages, tools }, signal) {
      const { streamText, jsonSchema } = await import('ai')
      globalThis.AI_SDK_LOG_WARNINGS = false // warnings would overwrite the terminal
      const { stream } = streamText({
        model,
        instructions: system,
        messages: toSdkMessages(messages),
        tools: toSdkTools(tools, jsonSchema),
        abortSignal: signal,
        maxRetries: 0, // the loop retries itself, visibly
        telemetry: { isEnabled: false },
        onError: () => {}, // errors also come in the stream; the default prints them
      })
      try {
        for await (const part of stream) {
          const read = readPart(part, name)
          yield* read
          const last = read.at(-1)?.kind
          if (last === 'end' || last === 'failed') return
        }
      } catch (error) {
        if (!signal.aborted) yield explainFailure(error, name)
      }
    },
  }
}

function toSdkTools(offers: readonly ToolOffer[], jsonSchema: typeof import('ai').jsonSchema): ToolSet {
  return Object.fromEntries(
    offers.map(({ name, description, inputSchema }) => [
      name,
      { description, inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]) },
    ]),
  )
}

function readPart(part: TextStreamPart<ToolSet>, name: string): readonly ModelPart[] {
  switch (part.type) {
    case 'text-delta':
      return part.text === '' ? [] : [{ kind: 'text', text: part.text }]
    case 'reasoning-delta':
      return part.text === '' ? [] : [{ kind: 'thought', text: part.text }]
    case 'tool-call': {
      const { toolCallId: id, toolName: tool, input: args, providerMetadata } = part
      const carried = providerMetadata === undefined ? {} : { carried: providerMetadata as JsonObject }
      return [{ kind: 'call', call: { id, tool, args, ...carried } }]
    }
    case 'error':
      return [explainFailure(part.error, name)]
    case 'finish-step': {
      const { inputTokens = 0, outputTokens = 0 } = part.usage
      const tags: unknown = part.providerMetadata?.['countersign']
      const intent: readonly ModelPart[] = isTags(tags) ? [{ kind: 'intent', tags }] : []
      const why = ENDS[part.finishReason]
      if (why === undefined) return [...intent, explainFailure('', name)]
      return [...intent, { kind: 'end', why, tokens: { input: inputTokens, output: outputTokens } }]
    }
    default:
      return [] // starts and ends of parts, and unused features
  }
}

const ENDS: Readonly<Record<string, 'stop' | 'calls' | 'length' | 'filtered'>> = {
  stop: 'stop',
  'tool-calls': 'calls',
  length: 'length',
  'content-filter': 'filtered',
  other: 'stop',
}

/** The content is checked where intent is read. */
function isTags(value: unknown): value is IntentTags {
  return typeof value === 'object' && value !== null
}

type ProviderOptions = NonNullable<ModelMessage['providerOptions']>
type AgentContent = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>

/** The conversation for the AI SDK. Empty messages are dropped: providers refuse them. */
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
    // Providers require an object; the call’s result tells the model about invalid arguments.
    input: isJsonObject(args) ? args : {},
    ...(carried === undefined ? {} : { providerOptions: carried as ProviderOptions }),
  }
}
