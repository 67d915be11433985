import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { accountName } from '../home/approver-key.ts'
import { changePolicy } from '../policy/apply-change.ts'

/** `countersign pause`: holds every call of every agent. */
export const command: Subcommand = {
  name: 'pause',
  summary: 'hold every call of every agent, until you resume',
  define(command, io) {
    addExamples(command, [['countersign pause "looking into the deploy"', 'also suspends all grants']])
    command
      .argument('[reason]', 'shown with every held call')
      .option('--passphrase-fd <fd>', 'read the passphrase of a sealed key from this file descriptor')
      .action((reason: string | undefined, flags: { readonly passphraseFd?: string }) =>
        changePolicy({ kind: 'pause', reason: reason ?? null, by: accountName() }, flags, io),
      )
  },
}
