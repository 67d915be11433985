/** What members of messages are called nearly always. */
const USUAL = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'code', 'message', 'data'],
  ...['name', 'arguments', '_meta', 'progressToken', 'task', 'inputResponses', 'requestState'],
  ...['content', 'isError', 'structuredContent', 'resultType', 'tools', 'nextCursor'],
]

interface Spelled {
  readonly name: string
  readonly bytes: Uint8Array
}

const BY_LENGTH: (readonly Spelled[] | undefined)[] = []
for (const name of USUAL)
  BY_LENGTH[name.length] = [...(BY_LENGTH[name.length] ?? []), { name, bytes: new TextEncoder().encode(name) }]

/** The name that stands at `from` up to `to`, when it is a usual one: found without making a text of the bytes first. */
export function usualName(bytes: Uint8Array, from: number, to: number): string | null {
  for (const spelled of BY_LENGTH[to - from] ?? []) if (isAt(spelled.bytes, bytes, from)) return spelled.name
  return null
}

function isAt(name: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < name.length; at += 1) if (bytes[from + at] !== name[at]) return false
  return true
}
