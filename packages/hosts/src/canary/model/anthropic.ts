import { fieldsOf, listOf, textOf } from './json.ts'
import type { Answer, Dialect, ServerEvent } from './turn.ts'

const USAGE = { input_tokens: 10, output_tokens: 10 }

function blocks(answer: Answer): readonly object[] {
  return [
    ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
    ...answer.calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args })),
  ]
}

function message(answer: Answer, content: readonly object[], stop: string | null): object {
  return {
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage: USAGE,
  }
}

function stopReason(answer: Answer): string {
  return answer.calls.length > 0 ? 'tool_use' : 'end_turn'
}

function blockEvents(answer: Answer): readonly ServerEvent[] {
  const events: ServerEvent[] = []
  const add = (name: string, data: object): void => void events.push({ name, data: { type: name, ...data } })
  for (const [index, block] of blocks(answer).entries()) {
    const call = fieldsOf(block)
    const isCall = call['type'] === 'tool_use'
    add('content_block_start', { index, content_block: isCall ? { ...block, input: {} } : { type: 'text', text: '' } })
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(call['input']) }
      : { type: 'text_delta', text: call['text'] }
    add('content_block_delta', { index, delta })
    add('content_block_stop', { index })
  }
  return events
}

/** Anthropic Messages, which Claude Code uses. */
export const anthropic: Dialect = {
  path: /\/v1\/messages$/,
  read(body) {
    const { system, messages, tools } = fieldsOf(body)
    const all = listOf(messages)
    const first = all.findIndex(({ role }) => role === 'assistant')
    return {
      opening: textOf([system, ...all.slice(0, first === -1 ? undefined : first)]),
      answered: all.filter(({ role }) => role === 'assistant').length,
      tools: listOf(tools).map(({ name }) => textOf(name)),
      results: all
        .flatMap(({ content }) => listOf(content))
        .filter(({ type }) => type === 'tool_result')
        .map((block) => ({ callId: textOf(block['tool_use_id']), text: textOf(block['content']) })),
    }
  },
  wants: (_, body) => ({ model: textOf(fieldsOf(body)['model']), stream: fieldsOf(body)['stream'] === true }),
  events: (answer) => [
    { name: 'message_start', data: { type: 'message_start', message: message(answer, [], null) } },
    ...blockEvents(answer),
    {
      name: 'message_delta',
      data: { type: 'message_delta', delta: { stop_reason: stopReason(answer), stop_sequence: null }, usage: USAGE },
    },
    { name: 'message_stop', data: { type: 'message_stop' } },
  ],
  whole: (answer) => message(answer, blocks(answer), stopReason(answer)),
}
