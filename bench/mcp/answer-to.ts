interface Question {
  readonly id?: string | number
  readonly method?: string
  readonly params?: { readonly arguments?: { readonly size?: number; readonly message?: string } }
}

/** A tool known to read, and one that could do anything. */
const TOOLS = ['read_text', 'process_text'].map((name) => ({
  name,
  description: 'gives text',
  inputSchema: { type: 'object', properties: { message: { type: 'string' }, size: { type: 'integer' } } },
}))

/** The response to one message as text; null if none is due. */
export function answerTo(text: string): string | null {
  const { id, method, params } = JSON.parse(text) as Question
  if (id === undefined || method === undefined) return null
  return JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) })
}

function resultOf(method: string, params: Question['params']): object {
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1' } }
    case 'tools/list':
      return { tools: TOOLS }
    case 'tools/call': {
      const { size, message = '' } = params?.arguments ?? {}
      return { content: [{ type: 'text', text: size === undefined ? message : 'x'.repeat(size) }] }
    }
    default:
      return {}
  }
}
