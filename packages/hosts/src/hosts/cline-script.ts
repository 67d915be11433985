import { shellQuote } from '@countersign/core'
import type { InstalledEvent } from '../contract/host-contract.ts'

const NO_ANSWER = 'Countersign did not answer, so this tool call is refused. Run: countersign doctor --hosts'

/**
 * The text of the hook script of one event for Cline, in a file named for the event. `argv` starts our hook; the event's
 * name is added at its end. INVARIANT: L3, Cline runs the tool if its hook fails, so the script refuses for a hook that does.
 */
export function clineScript(argv: readonly string[], { name, kind }: InstalledEvent): string {
  const hook = [...argv, name].map(shellQuote).join(' ')
  const line = kind === 'before' ? asking(hook) : `${hook} >/dev/null 2>&1 || true`
  const about = '# Written by `countersign init`; `countersign init --undo` removes it.'
  // As one command line, like the hooks of other agents: the process above such shells is the agent.
  return ['#!/bin/sh', about, `exec /bin/sh -c ${shellQuote(line)}`, ''].join('\n')
}

function asking(hook: string): string {
  const refusal = shellQuote(JSON.stringify({ cancel: true, errorMessage: NO_ANSWER }))
  return `answer=$(${hook}) && [ -n "$answer" ] || answer=${refusal}; printf '%s\\n' "$answer"`
}
