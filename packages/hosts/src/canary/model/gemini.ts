import { fieldsOf, listOf, textOf } from './json.ts'
import type { Answer, Dialect } from './turn.ts'

function response(answer: Answer): object {
  const parts = [
    ...(answer.text === '' ? [] : [{ text: answer.text }]),
    ...answer.calls.map(({ id, tool, args }) => ({ functionCall: { id, name: tool, args } })),
  ]
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    modelVersion: answer.model,
    responseId: answer.id,
  }
}

/** Gemini's generateContent and streamGenerateContent. */
export const gemini: Dialect = {
  path: /\/models\/[^/]+:(?:stream)?[gG]enerateContent$/,
  read(body) {
    const { systemInstruction, contents, tools } = fieldsOf(body)
    const all = listOf(contents)
    const first = all.findIndex(({ role }) => role === 'model')
    const parts = all.flatMap((content) => listOf(content['parts']))
    return {
      opening: textOf(
        [systemInstruction, ...all.slice(0, first === -1 ? undefined : first)].map(
          (one) => fieldsOf(one)['parts'] ?? '',
        ),
      ),
      answered: all.filter(({ role }) => role === 'model').length,
      tools: listOf(tools)
        .flatMap((tool) => listOf(tool['functionDeclarations']))
        .map(({ name }) => textOf(name)),
      results: parts
        .map((part) => fieldsOf(part['functionResponse']))
        .filter(({ name }) => name !== undefined)
        .map((answer) => ({ callId: textOf(answer['id']), text: JSON.stringify(answer['response']) })),
    }
  },
  wants: ({ pathname }) => ({
    model: /\/models\/([^/:]+):/.exec(pathname)?.[1] ?? '',
    stream: pathname.endsWith(':streamGenerateContent'),
  }),
  events: (answer) => [{ data: response(answer) }],
  whole: response,
}
