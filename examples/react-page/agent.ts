import { type Gate, refusalText } from '@countersign/core'
import { answer, type Message, type ToolCall } from './model.ts'

const notes = new Set(['Buy milk', 'Call Ada', 'Draft', 'Plan the trip'])

interface Note {
  readonly title: string
}

/** The tools of the agent. Each runs only if the gate allows it, once, with the arguments that were approved. */
export function registerTools(gate: Gate) {
  const list = gate.wrap(
    { name: 'list_notes', description: 'Lists all notes.', run: () => [...notes].join(', ') },
    { describe: () => ({ kind: 'read' }) },
  )
  const archive = gate.wrap(
    { name: 'archive_note', description: 'Moves a note into the archive.', run: ({ title }: Note) => take(title) },
    { requiresConfirmation: true, confirmationMessage: 'The note leaves your list.' },
  )
  const remove = gate.wrap(
    { name: 'delete_note', description: 'Deletes a note for good.', run: ({ title }: Note) => take(title) },
    { requiresConfirmation: true, confirmationMessage: 'The note cannot be restored.' },
  )
  return { list_notes: list, archive_note: archive, delete_note: remove } as Readonly<Record<string, typeof archive>>
}

function take(title: string): string {
  return notes.delete(title) ? `done: ${title}` : `there is no note ${title}`
}

type Tools = ReturnType<typeof registerTools>

const MOST_TURNS = 10

/** The agent loop: a model's turn, then its tool calls, until it calls none. */
export async function runAgentLoop(
  question: string,
  before: readonly Message[],
  tools: Tools,
  show: (conversation: readonly Message[]) => void,
): Promise<void> {
  let conversation: readonly Message[] = [...before, { role: 'user', text: question }]
  show(conversation)
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const message = answer(conversation)
    conversation = [...conversation, message]
    show(conversation)
    if (message.calls === undefined) return
    for (const call of message.calls) {
      const text = await runTool(call, message.text, tools)
      conversation = [...conversation, { role: 'tool', text }]
      show(conversation)
    }
  }
}

/** A refusal is an answer like any other, so that the model can adapt. */
async function runTool({ id, name, args }: ToolCall, said: string, tools: Tools): Promise<string> {
  const tool = tools[name]
  if (tool === undefined) return `there is no tool ${name}`
  const result = await tool(args as Note, { id, said })
  if (result.kind === 'completed') return result.value
  return result.kind === 'refusal' ? refusalText(result) : `failed: ${result.message}`
}
