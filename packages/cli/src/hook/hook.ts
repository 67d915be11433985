import { CountersignError, safeText } from '@countersign/core'
import { HOST_NAMES } from '@countersign/hosts'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import type { Io } from '../terminal/io.ts'
import { answerHookLine } from './hook-client.ts'

interface HookFlags {
  readonly token?: string
}

/** `countersign hook`: what the settings of coding agents call before and after every tool. */
export const command: Subcommand = {
  name: 'hook',
  summary: 'answer a coding agent’s hook event (called by the agent)',
  define(command, io) {
    addExamples(command, [
      ['countersign init', 'writes the hooks into the settings of your agents'],
      ['countersign hook claude-code PreToolUse < event.json', 'what the hook runs'],
    ])
    command
      .argument('<agent>', `the agent: ${HOST_NAMES.join(', ')}`)
      .argument('[event]', 'the agent’s name for the event')
      .option('--token <token>', 'the token that `countersign init` wrote for this agent')
      .action((host: string, event: string | undefined, { token }: HookFlags) => hook(host, event, token, io))
  },
}

function hook(host: string, event: string | undefined, token: string | undefined, { home, isTty }: Io): Promise<void> {
  if (isTty.stdin)
    throw new CountersignError(
      'CS_USAGE',
      `\`countersign hook ${safeText(host)}\` reads an event from stdin; to put agents behind the gate, run \`countersign init\``,
    )
  return answerHookLine({ host, event, token, home })
}
