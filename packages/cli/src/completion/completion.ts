import { script } from '@bomb.sh/tab'
import { Argument, type Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import type { Io } from '../terminal/io.ts'
import { BASH_SCRIPT } from './bash-script.ts'

/** Prints the script that makes a shell complete `countersign`. */
export const command: Subcommand = {
  name: 'completion',
  summary: 'print a completion script for bash, zsh or fish',
  define(command: Command, io: Io) {
    addExamples(command, [
      ['source <(countersign completion bash)', 'in ~/.bashrc'],
      ['source <(countersign completion zsh)', 'in ~/.zshrc, after compinit'],
      ['countersign completion fish | source', 'in ~/.config/fish/config.fish'],
    ])
    command
      .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
      .action((shell: string) => {
        if (shell === 'bash') io.stdout.write(BASH_SCRIPT)
        else script(shell, 'countersign', 'countersign')
      })
  },
}
