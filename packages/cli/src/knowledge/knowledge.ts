import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { nested } from '../nested-command.ts'
import type { Io } from '../terminal/io.ts'
import { defineLint, defineTest } from './check.ts'
import { defineShow } from './show.ts'

/** `countersign knowledge`: checks, tests and shows what the gate knows about programs and tools. */
export const command: Subcommand = {
  name: 'knowledge',
  summary: 'check, test and show rows about your own programs and tools',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['countersign knowledge show git', 'the row that rates a program, with its file and line'],
      ['countersign knowledge lint', 'check your knowledge files'],
      ['countersign knowledge test', 'run the examples in your knowledge files'],
    ])
    defineLint(nested(command, 'lint', 'check knowledge files; exits with 1 if one is invalid'), io)
    defineTest(nested(command, 'test', 'run the `examples:` of knowledge files; exits with 1 if one fails'), io)
    defineShow(nested(command, 'show', 'show the rows for a program or tool'), io)
  },
}
