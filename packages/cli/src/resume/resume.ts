import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { type ChangeFlags, changePolicy } from '../policy/apply-change.ts'

/** `countersign resume`: ends a pause. */
export const command: Subcommand = {
  name: 'resume',
  summary: 'end a pause',
  define(command, io) {
    addExamples(command, [['countersign resume', 'your policy and grants apply again']])
    command
      .option('--reason <text>', 'your reason; required to loosen manual supervision')
      .option('--passphrase-fd <fd>', 'read the passphrase of a sealed key from this file descriptor')
      .action((flags: ChangeFlags) => changePolicy({ kind: 'resume' }, flags, io))
  },
}
