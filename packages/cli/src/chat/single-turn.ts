import type { Stop } from '@countersign/agent'
import { type HeldCallView, markOf, type OpenedView, type SafeText, safeText, toolLabel } from '@countersign/core'
import { timeOfDay } from '@countersign/terminal/card'
import { localKey } from '../home/approver-key.ts'
import { askOnTerminal } from '../prompt/ask-on-terminal.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, say } from '../terminal/io.ts'
import type { Conversation } from './conversation.ts'
import { printChat } from './plain-chat.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Sends one message. The answer goes to stdout, tool calls to stderr; held calls are asked on the terminal, if there is one. */
export async function sendOneMessage(
  message: string,
  conversation: Conversation,
  notes: readonly SafeText[],
  io: Io,
): Promise<void> {
  const { opened } = conversation
  for (const note of notes) say(io, `countersign: ${note}`)
  const asking = askOnTerminal(opened, {
    terminal: () => io.terminal(),
    key: (terminal) => localKey(opened.home, (line) => terminal.write(`${line}\n`)),
    onNobody: (view) => sayHeld(view, io),
    withdraw: conversation.abort,
  })
  const stop = printChat(conversation, {
    columns: io.columns,
    color: io.color && io.errorColor,
    // The gutter separates the answer from messages of the gate; piped output is the answer only.
    gutter: io.isTty.stdout ? 'drawn' : 'none',
    undo: `countersign undo${homeWords(io)}`,
    print(line, { kind }) {
      if (kind === 'agent') print(io, line)
      else if (kind !== 'person') say(io, line)
    },
  })
  for (const signal of SIGNALS) process.on(signal, conversation.abort)
  try {
    const ended = await conversation.say(message)
    if (ended !== null) io.exit(exitCodeOf(ended))
  } finally {
    for (const signal of SIGNALS) process.off(signal, conversation.abort)
    stop()
    asking.stop()
  }
}

function sayHeld(view: HeldCallView, io: Io): void {
  const mark = safeText(markOf(view))
  const where = homeWords(io)
  const { expiresAt, call } = JSON.parse(view.request) as OpenedView['body']
  say(
    io,
    `countersign: ${safeText(toolLabel(call.tool))} is held: approve with \`countersign approve ${mark}${where}\`, or \`reject\`, before ${timeOfDay(expiresAt)}`,
  )
}

function homeWords(io: Io): string {
  return io.home === undefined ? '' : ` --home ${safeText(io.home)}`
}

function exitCodeOf({ why }: Stop): number {
  if (why === 'done') return EXIT.ok.code
  if (why === 'aborted') return EXIT.withdrawn.code
  return why === 'model-failed' ? EXIT.error.code : EXIT.stopped.code
}
