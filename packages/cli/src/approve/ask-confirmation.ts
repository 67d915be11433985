import { CountersignError, type Decision, type OpenedView, type Receipt } from '@countersign/core'
import { TRIES } from '@countersign/terminal/card'
import type { OpenDesk } from '../decision/desk.ts'
import { handIn, STILL_HELD } from '../decision/submit-decision.ts'
import type { LocalKey } from '../home/approver-key.ts'
import { openPrompt } from '../prompt/run-prompt.ts'
import type { Terminal } from '../terminal/controlling-terminal.ts'

/** Asks on the terminal for what the command line did not bring. Null when the person went away instead. */
export function askSecondAct(
  opened: OpenedView,
  asked: {
    readonly terminal: Terminal
    readonly open: OpenDesk
    readonly decision: Decision
    readonly key: LocalKey
  },
): Promise<{ readonly receipt: Receipt; readonly decision: Decision } | null> {
  const { terminal, open, key } = asked
  const isManual = opened.body.supervision === 'manual'
  return new Promise((resolve, reject) => {
    function giveUp(): void {
      prompt.close('')
      reject(new CountersignError('CS_PASSPHRASE', `not the passphrase, ${TRIES} times; ${STILL_HELD}`))
    }
    const prompt = openPrompt(
      opened,
      {
        terminal,
        clock: open.ports.clock,
        ...(key.sealed ? { seal: { giveUp } } : {}),
        async decide(typed, passphrase) {
          const decision: Decision = typed.kind === 'reject' ? typed : { ...asked.decision, ...typed }
          const approver = key.open(passphrase) // what it throws is for the prompt: a passphrase may be tried again
          try {
            const receipt = await handIn(opened, decision, approver, open)
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
