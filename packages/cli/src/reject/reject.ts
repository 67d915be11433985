import type { Decision } from '@countersign/core'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { findHeld, withDesk } from '../decision/desk.ts'
import { printReceipt, STILL_HELD, showCard, submitDecision } from '../decision/submit-decision.ts'
import { localKey } from '../home/approver-key.ts'
import { unlock } from '../home/unlock.ts'
import { say } from '../terminal/io.ts'

interface RejectFlags {
  readonly reason?: string
  readonly passphraseFd?: string
}

/** `countersign reject`: a person's no to a held call. */
export const command: Subcommand = {
  name: 'reject',
  summary: 'reject a held call',
  define(command, io) {
    addExamples(command, [
      ['countersign reject 3f2a91c0 --reason "use the staging database"', 'the agent is told the reason'],
    ])
    command
      .argument('<id>', 'short id of the call, from `countersign held`')
      .option('--reason <text>', 'your reason, told to the agent')
      .option('--passphrase-fd <fd>', 'read the passphrase of a sealed key from this file descriptor')
      .action(async (mark: string, { reason, passphraseFd: fd }: RejectFlags) => {
        await withDesk(io, async (_, open) => {
          const opened = await findHeld(mark, open)
          showCard(opened, io)
          const decision: Decision = { kind: 'reject', ...(reason === undefined ? {} : { reason }) }
          const terminal = io.terminal()
          try {
            const key = localKey(open.home, (line) => say(io, line), terminal)
            const approver = await unlock(key, { terminal, fd, otherwise: STILL_HELD })
            await printReceipt(await submitDecision(opened, decision, approver, open), decision, opened, open, io)
          } finally {
            terminal?.close()
          }
        })
      })
  },
}
