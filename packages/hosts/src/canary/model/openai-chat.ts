import { fieldsOf, listOf, textOf } from './json.ts'
import type { Answer, Dialect } from './turn.ts'

const USAGE = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }

function calls(answer: Answer): readonly object[] {
  return answer.calls.map(({ id, tool, args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }))
}

function said(answer: Answer): object {
  const tools = calls(answer)
  return { role: 'assistant', content: answer.text, ...(tools.length > 0 ? { tool_calls: tools } : {}) }
}

const finish = (answer: Answer): string => (answer.calls.length > 0 ? 'tool_calls' : 'stop')

/** OpenAI chat completions, which opencode and Copilot CLI speak to a model of one's own. */
export const openaiChat: Dialect = {
  path: /\/chat\/completions$/,
  read(body) {
    const { messages, tools } = fieldsOf(body)
    const all = listOf(messages)
    const first = all.findIndex(({ role }) => role === 'assistant')
    return {
      opening: textOf(all.slice(0, first === -1 ? undefined : first)),
      answered: all.filter(({ role }) => role === 'assistant').length,
      tools: listOf(tools).map((tool) => textOf(fieldsOf(tool['function'])['name'])),
      results: all
        .filter(({ role }) => role === 'tool')
        .map((message) => ({ callId: textOf(message['tool_call_id']), text: textOf(message['content']) })),
    }
  },
  wants: (_, body) => ({ model: textOf(fieldsOf(body)['model']), stream: fieldsOf(body)['stream'] === true }),
  events(answer) {
    const chunk = (delta: object, reason: string | null, usage?: object) => ({
      data: {
        id: answer.id,
        object: 'chat.completion.chunk',
        created: 0,
        model: answer.model,
        choices: [{ index: 0, delta, finish_reason: reason }],
        ...(usage === undefined ? {} : { usage }),
      },
    })
    return [chunk(said(answer), null), chunk({}, finish(answer), USAGE), { data: '[DONE]' }]
  },
  whole: (answer) => ({
    id: answer.id,
    object: 'chat.completion',
    created: 0,
    model: answer.model,
    choices: [{ index: 0, message: said(answer), finish_reason: finish(answer) }],
    usage: USAGE,
  }),
}
