import { shellQuote } from '@countersign/core'
import { CLEAN_START } from '../../contract/clean-start.ts'
import type { InstalledEvent } from '../../contract/host-contract.ts'
import { HOST_NAMES, type HostName } from '../../contract/host-name.ts'

/** What every hook line of one agent has in common. */
export interface HookWords {
  readonly host: HostName
  /** How to start this program: the absolute paths of Node and of Countersign. */
  readonly launcher: readonly string[]
  readonly token: string
  /** The home, if it isn't the account's own. */
  readonly home: string | null
}

/** What an agent's model reads when the hook could not run at all. */
export const UNANSWERED = 'Countersign did not answer, so this tool call is refused. Run: countersign doctor --hosts'

/** The words that start the hook. Without an event, its name can be added at their end. */
export function hookWords({ host, launcher, token, home }: HookWords, event?: string): readonly string[] {
  return [
    ...CLEAN_START,
    ...launcher,
    'hook',
    host,
    ...(event === undefined ? [] : [event]),
    '--token',
    token,
    ...(home === null ? [] : ['--home', home]),
  ]
}

/**
 * The command line in an agent's settings, for a POSIX shell. INVARIANT: L3, a hook that crashes or is missing refuses the tool;
 * a report never fails the agent.
 */
export function hookLine(words: HookWords, event: InstalledEvent): string {
  const line = hookWords(words, event.name).map(shellQuote).join(' ')
  if (event.kind === 'report') return `${line} >/dev/null 2>&1 || true`
  return `${line} || { echo ${shellQuote(UNANSWERED)} >&2; exit 2; }`
}

/** The same for an agent that runs its hooks in the person's own shell, which may not be a POSIX shell. */
export function inPosixShell(line: string): string {
  return `/bin/sh -c ${shellQuote(line)}`
}

const OURS = new RegExp(
  `(?:^|[\\s'"])hook[\\s'",]+(${HOST_NAMES.join('|')})[\\s'",].*?--token[\\s'",=]+([0-9a-f]{32})(?![0-9a-f])`,
  's',
)

/** The agent and the token of a hook line that `init` wrote, in a shell's or a JavaScript spelling; null for any other text. */
export function readHookLine(line: string): { readonly host: string; readonly token: string } | null {
  const [, host, token] = OURS.exec(line) ?? []
  return host === undefined || token === undefined ? null : { host, token }
}

/** SECURITY: a token is never shown, whoever wrote it. */
export function withoutTokens(text: string): string {
  return text.replaceAll(/(--token[\s'",=]+)[0-9a-f]{32}(?![0-9a-f])/g, '$1…')
}
