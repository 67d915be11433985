import { SOURCES } from '@countersign/hosts'
import { type Command, Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Io } from '../terminal/io.ts'
import type { ImportFlags } from './import-rules.ts'

export function defineImport(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign policy import --from claude-code', 'your Claude Code permissions as a policy'],
    ['countersign policy import --from vscode --file settings.json', 'from a file of your choice'],
    ['countersign policy import --from codex --apply', 'add them to your policy, signed with your key'],
  ])
  command
    .addOption(
      new Option('--from <product>', 'product whose rules to read').choices([...SOURCES]).makeOptionMandatory(),
    )
    .option('--file <path>', 'settings file to read instead of the usual ones')
    .option('--apply', 'add the rules to your policy, after asking you')
    .option('--reason <text>', 'your reason; required to loosen manual supervision')
    .action(async (flags: ImportFlags) => {
      const { importRules } = await import('./import-rules.ts')
      await importRules(flags, io)
    })
}
