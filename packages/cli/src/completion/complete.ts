import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import { type Io, print } from '../io.ts'
import { addGlobalFlags } from '../program.ts'
import type { Subcommand } from '../subcommand.ts'
import { SUBCOMMANDS } from '../subcommands.ts'

/** No candidates of ours: the shell completes file names. */
const FILES = ':0'

/** What a completion script asks: the words so far, answered with candidates in tab's protocol. */
export const command: Subcommand = {
  name: 'complete',
  summary: 'answer a shell’s completion request',
  define(command: Command, io: Io) {
    command.argument('[words...]').action(async (words: readonly string[]) => {
      // What comes after a second `--` is a command of the person's, not of ours.
      if (words.includes('--')) return print(io, FILES)
      tab(await wholeProgram(io), { completionCommandName: 'completion' }).parse([...words])
    })
  },
}

/** Every subcommand loaded and defined, on a program of its own: only here are all of them needed at once. */
async function wholeProgram(io: Io): Promise<Command> {
  const program = addGlobalFlags(new Command('countersign'))
  for (const { name, summary, hidden, load } of SUBCOMMANDS) {
    if (hidden === true || name === 'completion') continue
    const subcommand = addGlobalFlags(program.command(name).description(summary))
    ;(await load()).define(subcommand, io)
  }
  return program
}
