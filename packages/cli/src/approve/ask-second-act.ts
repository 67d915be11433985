import type { Decision, OpenedView, Receipt } from '@countersign/core'
import { handIn } from '../decide-held.ts'
import type { Io } from '../io.ts'
import type { OpenDesk } from '../open-desk.ts'
import { openPrompt } from '../prompt/run-prompt.ts'
import type { Terminal } from '../prompt/terminal.ts'

/** Asks on the terminal for what the command line did not bring. Null when the person went away instead. */
export function askSecondAct(
  opened: OpenedView,
  asked: { readonly terminal: Terminal; readonly open: OpenDesk; readonly decision: Decision },
  io: Io,
): Promise<{ readonly receipt: Receipt; readonly decision: Decision } | null> {
  const { terminal, open } = asked
  const isManual = opened.body.supervision === 'manual'
  return new Promise((resolve, reject) => {
    const prompt = openPrompt(
      opened,
      {
        terminal,
        clock: open.ports.clock,
        async decide(typed) {
          const decision: Decision = typed.kind === 'reject' ? typed : { ...asked.decision, ...typed }
          try {
            const receipt = await handIn(opened, decision, open, io)
            if (receipt.accepted || receipt.state !== 'held') {
              prompt.close('')
              resolve({ receipt, decision })
            }
            return receipt
          } catch (error) {
            prompt.close('')
            reject(error)
            throw error
          }
        },
        withdraw() {
          prompt.close('')
          resolve(null)
        },
      },
      isManual ? {} : { printed: true, stage: { kind: 'again', grant: null } },
    )
  })
}
