import { type SafeText, safeText } from '@countersign/core'
import type { ChatCommand } from '@countersign/terminal/chat'
import type { LocalKey } from '../home/approver-key.ts'
import type { NotifyWay } from '../notify/notification.ts'
import { createNotifier } from '../notify/notify.ts'
import type { Io } from '../terminal/io.ts'
import { loadTerminal } from '../terminal/load-screen.ts'
import { openChatSource } from './chat-source.ts'
import type { Conversation } from './conversation.ts'

/** What is shown, and how. */
export interface ShownChat {
  readonly conversation: Conversation
  readonly key: LocalKey
  /** Said first; the usual words when absent. */
  readonly greeting?: readonly SafeText[]
  /** What a person should know; said next. */
  readonly notes: readonly SafeText[]
  /** Said when it is known. */
  readonly later?: Promise<readonly SafeText[]>
  readonly notify: NotifyWay
  readonly linear: boolean
  /** Slash commands besides the usual ones. */
  readonly commands?: readonly ChatCommand[]
  /** Said to the agent at once. */
  readonly opening?: string
}

const GREETING = [safeText('Every tool call passes the gate; what needs you is shown as a card. /help has more.')]
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const

/** Puts a conversation on the terminal, until the person leaves it or the terminal is gone. */
export async function showChat(shown: ShownChat, io: Io): Promise<void> {
  const { conversation, key, notes, opening } = shown
  const { isTerminalLent, runChat } = await loadTerminal()
  const source = openChatSource(conversation, key, io, shown.commands)
  const notifier = createNotifier(shown.notify, io)
  const leaving = new AbortController()
  const leave = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGINT' && isTerminalLent()) return
    conversation.abort()
    leaving.abort()
  }
  for (const signal of SIGNALS) process.on(signal, leave)
  const stop = conversation.subscribe((event) => {
    if (event.kind === 'held') notifier.held(event.opened)
    if (event.kind === 'decided' || event.kind === 'over') notifier.gone(event.callId)
  })
  const greeting = shown.greeting ?? GREETING
  try {
    await runChat({
      source: {
        ...source,
        subscribe(listen) {
          listen({ kind: 'note', lines: greeting, tone: 'plain' })
          if (notes.length > 0) listen({ kind: 'note', lines: notes, tone: 'warning' })
          shown.later?.then((lines) => listen({ kind: 'note', lines, tone: 'plain' }))
          return source.subscribe(listen)
        },
      },
      color: io.color,
      stdout: io.stdout,
      linear: shown.linear || io.env['INK_SCREEN_READER'] === 'true',
      leaving: leaving.signal,
      ...(opening === undefined ? {} : { opening }),
    })
  } finally {
    stop()
    notifier.stop()
    for (const signal of SIGNALS) process.off(signal, leave)
  }
}
