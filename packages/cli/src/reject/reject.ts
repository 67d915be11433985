import type { Decision } from '@countersign/core'
import { handIn, printReceipt, STILL_HELD, showCard } from '../decide-held.ts'
import { addExamples } from '../examples.ts'
import { findHeld } from '../find-held.ts'
import { refuseInside } from '../inside.ts'
import { say } from '../io.ts'
import { localKey } from '../local-approver.ts'
import { withDesk } from '../open-desk.ts'
import type { Subcommand } from '../subcommand.ts'
import { unlock } from '../unlock.ts'

interface RejectFlags {
  readonly reason?: string
  readonly passphraseFd?: string
}

/** `countersign reject`: a person's no to a held call. */
export const command: Subcommand = {
  name: 'reject',
  summary: 'reject a held call',
  define(command, io) {
    addExamples(command, [['countersign reject 3f2a91c0 --reason "use the staging database"', 'the agent is told why']])
    command
      .argument('<mark>', 'the call, by the mark that `countersign held` shows')
      .option('--reason <text>', 'said to the agent')
      .option('--passphrase-fd <fd>', 'read the passphrase of a sealed key from this descriptor')
      .action(async (mark: string, { reason, passphraseFd: fd }: RejectFlags) => {
        refuseInside(io)
        await withDesk(io, async (_, open) => {
          const opened = await findHeld(mark, open)
          showCard(opened, io)
          const decision: Decision = { kind: 'reject', ...(reason === undefined ? {} : { reason }) }
          const terminal = io.terminal()
          try {
            const key = localKey(open.home, (line) => say(io, line))
            const approver = await unlock(key, { terminal, fd, otherwise: STILL_HELD })
            printReceipt(await handIn(opened, decision, approver, open), decision, opened, io)
          } finally {
            terminal?.close()
          }
        })
      })
  },
}
