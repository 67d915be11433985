import { script } from '@bomb.sh/tab'
import { Argument, type Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import type { Io } from '../terminal/io.ts'

/** `countersign completion`: prints a completion script. */
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

/**
 * Completion for bash in the protocol of @bomb.sh/tab: one candidate per line, a tab before its description, and a last
 * line `:<number>`. SECURITY: tab's own bash script evaluates the typed words, so that pressing TAB after
 * `countersign exec -- rm $(…)` would run the substitution. This script does not evaluate them.
 */
const BASH_SCRIPT = `# bash completion for countersign: put it into ~/.bashrc as
#   source <(countersign completion bash)
_countersign_complete() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        [[ $line == :* ]] || COMPREPLY+=("\${line%%$'\\t'*}")
    done < <(countersign complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _countersign_complete countersign
`
