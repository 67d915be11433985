import { type Decision, type OpenedView, safeText } from '@countersign/core'
import { decide } from '@countersign/node'
import { cardLines, createPaint } from '@countersign/terminal/card'
import { printChat } from '../chat/plain-chat.ts'
import { localKey } from '../home/approver-key.ts'
import type { Io } from '../terminal/io.ts'
import { OPENING, type Stage } from './sandbox.ts'

/** Who decides where nobody sits: the flag, or nobody. */
export type Answers = 'approve' | 'reject' | 'nobody'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Plays the script alone, in plain lines; `left` when a signal ended it. */
export async function play(
  { conversation }: Stage,
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
    const approver = localKey(opened.home, () => {}).open() // its key is gone with the demonstration
    const decision = decisionOf(view, answers === 'approve')
    const by = { approver, surface: 'terminal', crypto: opened.ports.crypto }
    decide(opened.desk, view.view, decision, by).then(
      ({ accepted, message }) => (accepted ? undefined : tell(`  ${safeText(message)}`)),
      (error: unknown) => tell(`  ${safeText(String(error))}`),
    )
  }

  try {
    await conversation.say(OPENING)
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
