import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { nested } from '../nested-command.ts'
import type { Io } from '../terminal/io.ts'
import { defineExplain } from './explain.ts'
import { defineLint } from './lint.ts'
import { defineSchema } from './schema.ts'
import { defineTest } from './test.ts'

/** Reading, trying and checking policy files before they decide anything. */
export const command: Subcommand = {
  name: 'policy',
  summary: 'check, explain and test policy files',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign policy lint', 'does it load, and mean what you think?'],
      ['countersign policy explain -- git push --force', 'what would happen, and why'],
    ])
    defineLint(nested(command, 'lint', 'check policy files; exit 1 when one is refused'), io)
    defineExplain(nested(command, 'explain', 'what policy says of a call, and what every rule that lost said'), io)
    defineTest(nested(command, 'test', 'run the `tests:` of policy files; exit 1 when one fails'), io)
    defineSchema(nested(command, 'schema', 'print the policy language as JSON Schema, draft 7'), io)
  },
}
