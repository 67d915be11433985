import { type Fields, fieldsOf, listOf, textOf } from './json.ts'
import type { Answer, Dialect } from './turn.ts'

const USAGE = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }

function items(answer: Answer): readonly object[] {
  const content = [{ type: 'output_text', text: answer.text, annotations: [] }]
  return [
    ...(answer.text === ''
      ? []
      : [{ type: 'message', id: `msg_${answer.id}`, role: 'assistant', status: 'completed', content }]),
    ...answer.calls.map(({ id, tool, args }) => {
      const [name = tool, namespace] = tool.split('.').reverse()
      const call = { call_id: id, name, ...(namespace === undefined ? {} : { namespace }), status: 'completed' }
      return typeof args['freeform'] === 'string'
        ? { ...call, type: 'custom_tool_call', id: `ctc_${id}`, input: args['freeform'] }
        : { ...call, type: 'function_call', id: `fc_${id}`, arguments: JSON.stringify(args) }
    }),
  ]
}

function response(answer: Answer, status: string, output: readonly object[]): object {
  return { id: answer.id, object: 'response', created_at: 0, model: answer.model, status, output, usage: USAGE }
}

/** Tools in a namespace are named as their calls are: `namespace.tool`. */
function toolNames(tools: readonly Fields[]): readonly string[] {
  return tools.flatMap((tool) => {
    const name = textOf(tool['name'] ?? tool['type'])
    return tool['type'] === 'namespace' ? toolNames(listOf(tool['tools'])).map((one) => `${name}.${one}`) : [name]
  })
}

const isOurs = ({ type, role }: Fields): boolean =>
  /_call$/.test(textOf(type)) || (type === 'message' && role === 'assistant') || type === 'reasoning'

/** OpenAI Responses, which Codex uses. A call whose arguments are `{ freeform }` is sent as a custom tool call. */
export const openaiResponses: Dialect = {
  path: /\/responses$/,
  read(body) {
    const { instructions, input, tools } = fieldsOf(body)
    const all = listOf(input)
    const first = all.findIndex(isOurs)
    return {
      opening: textOf([instructions, ...all.slice(0, first === -1 ? undefined : first)]),
      answered: all.filter((item, at) => isOurs(item) && !isOurs(all[at - 1] ?? {})).length,
      tools: toolNames([...listOf(tools), ...all.flatMap((item) => listOf(item['tools']))]),
      results: all
        .filter(({ type }) => /_call_output$/.test(textOf(type)))
        .map((item) => ({ callId: textOf(item['call_id']), text: textOf(item['output']) })),
    }
  },
  wants: (_, body) => ({ model: textOf(fieldsOf(body)['model']), stream: fieldsOf(body)['stream'] === true }),
  events(answer) {
    const output = items(answer)
    const event = (name: string, data: object) => ({ name, data: { type: name, ...data } })
    return [
      event('response.created', { response: response(answer, 'in_progress', []) }),
      ...output.flatMap((item, at) => [
        event('response.output_item.added', { output_index: at, item }),
        event('response.output_item.done', { output_index: at, item }),
      ]),
      event('response.completed', { response: response(answer, 'completed', output) }),
    ]
  },
  whole: (answer) => response(answer, 'completed', items(answer)),
}
