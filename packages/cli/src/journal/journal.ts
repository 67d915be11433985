import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { nested } from '../nested-command.ts'
import type { Io } from '../terminal/io.ts'
import { defineCheckpoint } from './checkpoint.ts'
import { defineExport } from './export.ts'
import { defineRotate } from './rotate.ts'
import { defineTail } from './tail.ts'
import { defineVerify } from './verify.ts'

/** `countersign journal`: reads, verifies, exports and rotates the journal. */
export const command: Subcommand = {
  name: 'journal',
  summary: 'read, verify, export and rotate the journal',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign journal tail --follow', 'follow what agents do'],
      ['countersign journal verify', 'check it for tampering'],
    ])
    defineTail(nested(command, 'tail', 'print the latest entries'), io)
    defineVerify(nested(command, 'verify', 'check the journal for tampering'), io)
    defineExport(nested(command, 'export', 'export entries as JSON lines'), io)
    defineCheckpoint(nested(command, 'checkpoint', 'sign the current state, to keep it elsewhere'), io)
    defineRotate(nested(command, 'rotate', 'move older entries to an archive'), io)
  },
}
