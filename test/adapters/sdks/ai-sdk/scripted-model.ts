import type { LanguageModelV4, LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** What a scripted model says in one turn. */
export interface Turn {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input: object }[]
}

/** A model that says what its script tells, offline, and keeps the prompts it was given. */
export interface ScriptedModel extends LanguageModelV4 {
  readonly prompts: unknown[]
}

const TOKENS = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
const USAGE = { inputTokens: TOKENS, outputTokens: { total: 1, text: 1, reasoning: 0 } }

export function scriptedModel(...script: readonly Turn[]): ScriptedModel {
  const prompts: unknown[] = []
  const turnFor = (prompt: unknown): Turn => {
    prompts.push(prompt)
    return script[prompts.length - 1] ?? { text: 'done' }
  }
  const finishOf = ({ calls = [] }: Turn) =>
    ({ unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined }) as const
  return {
    specificationVersion: 'v4',
    provider: 'script',
    modelId: 'script',
    supportedUrls: {},
    prompts,
    async doGenerate({ prompt }) {
      const turn = turnFor(prompt)
      return { content: contentOf(turn), finishReason: finishOf(turn), usage: USAGE, warnings: [] }
    },
    async doStream({ prompt }) {
      const turn = turnFor(prompt)
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...contentOf(turn).flatMap(streamed),
        { type: 'finish', finishReason: finishOf(turn), usage: USAGE },
      ]
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(sink) {
          for (const part of parts) sink.enqueue(part)
          sink.close()
        },
      })
      return { stream }
    },
  }
}

function contentOf({ text, calls = [] }: Turn): LanguageModelV4Content[] {
  const said: LanguageModelV4Content[] = text === undefined ? [] : [{ type: 'text', text }]
  return [
    ...said,
    ...calls.map(({ id, tool, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: tool,
      input: JSON.stringify(input),
    })),
  ]
}

function streamed(part: LanguageModelV4Content): LanguageModelV4StreamPart[] {
  if (part.type === 'tool-call') return [part]
  if (part.type !== 'text') return []
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: part.text },
    { type: 'text-end', id: 't' },
  ]
}
