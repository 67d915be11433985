import { type AgentInputItem, type Model, type ModelResponse, setTracingDisabled, Usage } from '@openai/agents'

setTracingDisabled(true) // it would be sent to a server

/** What a scripted model says in one turn. */
export interface Turn {
  readonly text?: string
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly args: string }[]
}

/** A model that says what its script tells, offline, and keeps the inputs it was given. */
export interface ScriptedModel extends Model {
  readonly inputs: (string | AgentInputItem[])[]
}

export function scriptedModel(...script: readonly Turn[]): ScriptedModel {
  const inputs: (string | AgentInputItem[])[] = []
  const answer = (input: string | AgentInputItem[]): ModelResponse => {
    inputs.push(input)
    return { usage: new Usage(), output: outputOf(script[inputs.length - 1] ?? { text: 'done' }) }
  }
  return {
    inputs,
    getResponse: async ({ input }) => answer(structuredClone(input)),
    async *getStreamedResponse({ input }) {
      const { output } = answer(structuredClone(input))
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
      yield { type: 'response_done', response: { id: 'r', output, usage } } as never
    },
  }
}

function outputOf({ text, calls = [] }: Turn): ModelResponse['output'] {
  const said: ModelResponse['output'] =
    text === undefined
      ? []
      : [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }]
  return [
    ...said,
    ...calls.map(
      ({ id, tool, args }) =>
        ({ type: 'function_call', callId: id, name: tool, status: 'completed', arguments: args }) as const,
    ),
  ]
}

/** What the model was told about its calls. */
export function toldOf({ inputs }: ScriptedModel): string {
  const input = inputs.at(-1)
  return JSON.stringify(Array.isArray(input) ? input.filter(({ type }) => type === 'function_call_result') : [])
}
