import { resolve } from 'node:path'
import { parseCheckpoint, verifierKey } from '@countersign/core'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { type Io, printJson, say } from '../terminal/io.ts'
import { writeNewFile } from './export-file.ts'
import { signHead, withJournal } from './open-journal.ts'

export function defineCheckpoint(command: Command, io: Io): void {
  addExamples(command, [['countersign journal checkpoint > head.txt', 'keep this file on another machine']])
  command.option('--out <file>', 'write to a new file instead of stdout').action((flags: { readonly out?: string }) =>
    withJournal(io, async (journal) => {
      const note = await signHead(journal)
      const { size = 0, root = '' } = parseCheckpoint(note) ?? {}
      if (flags.out !== undefined) await writeNewFile(resolve(io.cwd, flags.out), [note])
      const key = verifierKey(journal.origin, journal.signer.publicKey, journal.crypto)
      if (io.json) printJson(io, { size, root, origin: journal.origin, key, note })
      else if (flags.out === undefined) io.stdout.write(note)
      say(
        io,
        `signed entries 1 to ${size}; keep the checkpoint on another machine and verify with \`countersign journal verify --against <file>\``,
      )
    }),
  )
}
