import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import type { Subcommand } from '../arguments/subcommand.ts'
import { addGlobalFlags } from '../program.ts'
import { SUBCOMMANDS } from '../subcommands.ts'
import { type Io, print } from '../terminal/io.ts'

/** No candidates: the shell completes file names. */
const FILES = ':0'

/** Name for tab's own script command, which is removed below. */
const SCRIPTS = 'tab-scripts'

/** Answers a completion script: takes the words typed so far, prints candidates in tab's protocol. */
export const command: Subcommand = {
  name: 'complete',
  summary: 'complete a command line (called by the shell script)',
  define(command: Command, io: Io) {
    command.argument('[words...]').action(async (words: readonly string[]) => {
      // Words after `--` belong to another command; a trailing `--` is a flag being typed.
      if (words.slice(0, -1).includes('--')) return print(io, FILES)
      const answers = tab(await wholeProgram(io), { completionCommandName: SCRIPTS })
      answers.commands.delete(SCRIPTS) // `countersign completion` prints the scripts
      answers.parse([...words])
    })
  },
}

/** Loads and defines every subcommand; only completion needs all of them. */
async function wholeProgram(io: Io): Promise<Command> {
  const program = addGlobalFlags(new Command('countersign').enablePositionalOptions())
  for (const { name, summary, hidden, load } of SUBCOMMANDS) {
    if (hidden === true) continue
    const subcommand = addGlobalFlags(program.command(name).description(summary))
    ;(await load()).define(subcommand, io)
  }
  return program
}
