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
  if (results.length === 0) return calling('I’ll look at your notes.', call('list_notes', {}))
  if (results.length === 1)
    return calling('Two are done. They go into the archive.', archiving('Buy milk'), archiving('Call Ada'))
  if (results.length === 3) return calling('The draft is empty.', call('delete_note', { title: 'Draft' }))
  const refused = results.find(({ text }) => text.startsWith('NOT EXECUTED'))
  return { role: 'assistant', text: refused === undefined ? 'Your notes are tidy.' : `I stopped: ${refused.text}` }
}

function calling(text: string, ...calls: readonly ToolCall[]): Message {
  return { role: 'assistant', text, calls }
}

function archiving(title: string): ToolCall {
  return call('archive_note', { title })
}

function call(name: string, args: object): ToolCall {
  return { id: crypto.randomUUID(), name, args }
}
