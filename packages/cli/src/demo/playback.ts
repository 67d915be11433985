import { type Decision, type OpenedView, safeText } from '@countersign/core'
import { decide } from '@countersign/node'
import { cardLines, createPaint } from '@countersign/terminal/card'
import { undoInChat } from '../chat/commands.ts'
import { printChat } from '../chat/plain-chat.ts'
import { localKey } from '../home/approver-key.ts'
import type { Io } from '../terminal/io.ts'
import { OPENING, type Sandbox } from './sandbox.ts'

/** The unattended answer: from `--answers`, or none. */
export type Answers = 'approve' | 'reject' | 'nobody'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Plays the script unattended, as plain lines; `left` if a signal ended it. */
export async function play(
  { conversation, isDeleted }: Sandbox,
  answers: Answers,
  tell: (line: string) => void,
  io: Io,
): Promise<'played' | 'left'> {
  const { opened } = conversation
  const columns = Math.min(io.columns, 80)
  const look = { columns, paint: createPaint(io.color) }
  let isLeft = false
  const leave = (): void => {
    isLeft = true
    conversation.abort()
  }
  for (const signal of SIGNALS) process.on(signal, leave)
  const stop = printChat(conversation, {
    columns,
    color: io.color,
    print: tell,
    onHeld(view) {
      for (const line of cardLines(view, look)) tell(line)
      tell('')
      if (answers === 'nobody') tell('  nobody to ask; the call expires in 2 seconds')
      else answer(view)
    },
  })

  function answer(view: OpenedView): void {
    const approver = localKey(opened.home, () => {}).open() // a temporary key, deleted with the demo
    const decision = decisionOf(view, answers === 'approve')
    const by = { approver, surface: 'terminal', crypto: opened.ports.crypto }
    decide(opened.desk, view.view, decision, by).then(
      ({ accepted, message }) => (accepted ? undefined : tell(`  ${safeText(message)}`)),
      (error: unknown) => tell(`  ${safeText(String(error))}`),
    )
  }

  try {
    await conversation.say(OPENING)
    if (isDeleted() && !isLeft) {
      tell('')
      tell('The project is gone: you approved its deletion. A copy was kept, so /undo brings it back.')
      for (const line of await undoInChat('', conversation)) tell(`  ${line}`)
    }
    return isLeft ? 'left' : 'played'
  } finally {
    stop()
    for (const signal of SIGNALS) process.off(signal, leave)
  }
}

function decisionOf({ body, code }: OpenedView, isApproved: boolean): Decision {
  if (!isApproved) return { kind: 'reject' }
  return {
    kind: 'approve',
    ...(body.supervision === 'manual' ? { code, reason: 'approved by --answers approve' } : {}),
  }
}
