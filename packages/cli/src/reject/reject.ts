import type { Decision } from '@countersign/core'
import { handIn, printReceipt, showCard } from '../decide-held.ts'
import { addExamples } from '../examples.ts'
import { findHeld } from '../find-held.ts'
import { refuseInside } from '../inside.ts'
import { withDesk } from '../open-desk.ts'
import type { Subcommand } from '../subcommand.ts'

/** `countersign reject`: a person's no to a held call. */
export const command: Subcommand = {
  name: 'reject',
  summary: 'reject a held call',
  define(command, io) {
    addExamples(command, [['countersign reject 3f2a91c0 --reason "use the staging database"', 'the agent is told why']])
    command
      .argument('<id>', 'the call, or the beginning of its id')
      .option('--reason <text>', 'said to the agent')
      .action(async (id: string, { reason }: { readonly reason?: string }) => {
        refuseInside(io)
        await withDesk(io, async (_, open) => {
          const opened = await findHeld(id, open)
          showCard(opened, io)
          const decision: Decision = { kind: 'reject', ...(reason === undefined ? {} : { reason }) }
          printReceipt(await handIn(opened, decision, open, io), decision, io)
        })
      })
  },
}
