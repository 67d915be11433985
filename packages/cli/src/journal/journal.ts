import { resolve } from 'node:path'
import { parseCheckpoint, verifierKey } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { nested } from '../nested-command.ts'
import { type Io, printJson, say } from '../terminal/io.ts'
import { defineExport } from './export.ts'
import { writeNewFile } from './export-file.ts'
import { signHead, withJournal } from './open-journal.ts'
import { defineRotate } from './rotate.ts'
import { defineTail } from './tail.ts'
import { defineVerify } from './verify.ts'
import { defineWitness } from './witness.ts'

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
    defineWitness(nested(command, 'witness', 'watch the journal from another machine, and cosign it'), io)
    defineRotate(nested(command, 'rotate', 'move older entries to an archive'), io)
  },
}

function defineCheckpoint(command: Command, io: Io): void {
  addExamples(command, [['countersign journal checkpoint > head.txt', 'keep this file on another machine']])
  command.option('--out <file>', 'write to a new file instead of stdout').action((flags: { readonly out?: string }) =>
    withJournal(io, async (journal) => {
      const note = await signHead(journal)
      const { size = 0, root = '' } = parseCheckpoint(note) ?? {}
      if (flags.out !== undefined) await writeNewFile(resolve(io.cwd, flags.out), [note])
      const key = verifierKey(journal.keys.origin, journal.signer.publicKey, journal.crypto)
      if (io.json) printJson(io, { size, root, origin: journal.keys.origin, key, note })
      else if (flags.out === undefined) io.stdout.write(note)
      say(
        io,
        `signed entries 1 to ${size}; keep the checkpoint on another machine and verify with \`countersign journal verify --against <file>\``,
      )
    }),
  )
}
