import type { IntentTags, JsonObject } from '@countersign/core'
import type { LanguageModel, TextStreamPart, ToolSet } from 'ai'
import type { Model, ModelPart, ToolOffer } from './model.ts'
import { explainFailure } from './provider-error.ts'
import { toSdkMessages } from './sdk-messages.ts'

/** A model of the AI SDK, as its providers make them; a bare name would go to somebody else's gateway. */
export type SdkModel = Exclude<LanguageModel, string>

/**
 * A model of the AI SDK. Its tools have no `execute` and it takes one step, so the SDK itself can run nothing.
 * INVARIANT: L1.
 */
export function aiSdkModel(name: string, model: SdkModel): Model {
  return {
    name,
    async *turn({ system, messages, tools }, signal) {
      const { streamText, jsonSchema } = await import('ai')
      globalThis.AI_SDK_LOG_WARNINGS = false // it would write over whatever the terminal shows
      const { stream } = streamText({
        model,
        instructions: system,
        messages: toSdkMessages(messages),
        tools: toSdkTools(tools, jsonSchema),
        abortSignal: signal,
        maxRetries: 0, // the loop tries again by itself, on its own clock, and says so
        telemetry: { isEnabled: false },
        onError: () => {}, // it comes as a part of the stream too; the default prints it
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
      return [] // starts and ends of parts, and what no tool of ours asks for
  }
}

const ENDS: Readonly<Record<string, 'stop' | 'calls' | 'length' | 'filtered'>> = {
  stop: 'stop',
  'tool-calls': 'calls',
  length: 'length',
  'content-filter': 'filtered',
  other: 'stop',
}

/** What stands in it is read where intent is read; here it only has to be an object. */
function isTags(value: unknown): value is IntentTags {
  return typeof value === 'object' && value !== null
}
