import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import type { Subcommand } from '../arguments/subcommand.ts'
import { addGlobalFlags } from '../program.ts'
import { SUBCOMMANDS } from '../subcommands.ts'
import { type Io, print } from '../terminal/io.ts'

/** No candidates of ours: the shell completes file names. */
const FILES = ':0'

/** What tab would call its own command for scripts. */
const SCRIPTS = 'tab-scripts'

/** What a completion script asks: the words so far, answered with candidates in tab's protocol. */
export const command: Subcommand = {
  name: 'complete',
  summary: 'complete a command line (called by the shell script)',
  define(command: Command, io: Io) {
    command.argument('[words...]').action(async (words: readonly string[]) => {
      // What comes after a `--` is a command of the person's, not of ours; a last `--` is a flag being typed.
      if (words.slice(0, -1).includes('--')) return print(io, FILES)
      const answers = tab(await wholeProgram(io), { completionCommandName: SCRIPTS })
      answers.commands.delete(SCRIPTS) // ours prints the scripts
      answers.parse([...words])
    })
  },
}

/** Every subcommand loaded and defined, on a program of its own: only here are all of them needed at once. */
async function wholeProgram(io: Io): Promise<Command> {
  const program = addGlobalFlags(new Command('countersign').enablePositionalOptions())
  for (const { name, summary, hidden, load } of SUBCOMMANDS) {
    if (hidden === true) continue
    const subcommand = addGlobalFlags(program.command(name).description(summary))
    ;(await load()).define(subcommand, io)
  }
  return program
}
