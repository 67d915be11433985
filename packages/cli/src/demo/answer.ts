import { type Decision, openView } from '@countersign/core'
import { decide, type OpenedGate } from '@countersign/node'
import { createPaint } from '../color.ts'
import type { Io } from '../io.ts'
import { localApprover } from '../local-approver.ts'
import { askOnTerminal } from '../prompt/ask-on-terminal.ts'
import { cardLines } from '../prompt/card.ts'

/** Who decides in the demonstration: the person, the flag, or nobody. */
export type Answers = 'person' | 'approve' | 'reject' | 'nobody'

/** Lets them decide every call the gate holds; `tell` prints a line. The returned function ends it. */
export function answerHeld(
  opened: OpenedGate,
  answers: Answers,
  withdraw: () => void,
  tell: (line: string) => void,
  io: Io,
): () => void {
  if (answers === 'person') {
    const quiet = (): void => {} // its key is gone with the demonstration
    const asking = askOnTerminal(opened, {
      terminal: () => io.terminal(),
      approver: () => localApprover(opened.home, quiet),
      onNobody: () => tell('  the terminal is gone; this call will expire'),
      withdraw,
    })
    return asking.stop
  }
  const { crypto } = opened.ports
  return opened.gate.subscribe((event) => {
    if (event.kind !== 'held') return
    const shown = openView(event.view, crypto)
    for (const line of cardLines(shown, { columns: Math.min(io.columns, 80), paint: createPaint(io.color) })) tell(line)
    tell('')
    if (answers === 'nobody') return tell('  nobody is here to decide; it expires in 3 seconds')
    const isManual = shown.body.supervision === 'manual'
    const strong =
      isManual && answers === 'approve' ? { code: shown.code, reason: 'answered by --answers approve' } : {}
    const decision: Decision = { kind: answers, ...strong }
    tell(
      `  --answers ${answers}${isManual && answers === 'approve' ? `, with the code ${shown.code} and a reason` : ''}`,
    )
    const approver = localApprover(opened.home, () => {})
    decide(opened.desk, event.view, decision, { approver, surface: 'demo', crypto }).catch((error: unknown) =>
      tell(`  the answer did not count: ${error instanceof Error ? error.message : String(error)}`),
    )
  })
}
