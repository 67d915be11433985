/** A tool call, as a model asks for it. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly args: object
}

/** A message of the conversation. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly text: string
  readonly calls?: readonly ToolCall[]
}

/** A stand-in for a language model: it follows a script and needs no network. */
export function answer(conversation: readonly Message[]): Message {
  const since = conversation.findLastIndex(({ role }) => role === 'user')
  const results = conversation.slice(since).filter(({ role }) => role === 'tool')
  const call = (name: string, args: object): ToolCall => ({ id: crypto.randomUUID(), name, args })
  if (results.length === 0)
    return { role: 'assistant', text: 'Let me look at your notes.', calls: [call('list_notes', {})] }
  if (results.length === 1)
    return {
      role: 'assistant',
      text: 'Two of them are done, so I’ll delete both.',
      calls: [call('delete_note', { id: 1 }), call('delete_note', { id: 2 })],
    }
  const kept = results.slice(1).filter(({ text }) => !text.startsWith('deleted'))
  const text = kept.length === 0 ? 'Both notes are gone.' : `I kept ${kept.length} of them: ${kept[0]?.text ?? ''}`
  return { role: 'assistant', text }
}
