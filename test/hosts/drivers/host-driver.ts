import type { HostDriver as Driver, Files } from '../../../packages/hosts/src/canary/drivers/host-driver.ts'

export { type Files, json } from '../../../packages/hosts/src/canary/drivers/host-driver.ts'

/** One hook in the host's configuration. */
export interface HookEntry {
  /** The host's own event name. */
  readonly event: string
  /** Any command line; for opencode, a JavaScript module. */
  readonly command: string
  readonly matcher?: string
  readonly timeoutSeconds?: number
  /** Further fields of the entry, such as `onFailure`. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Whose configuration file holds the hooks. */
export type Scope = 'user' | 'project'

/** What a probe hook answers to an event. */
export interface HookAnswer {
  readonly stdout?: string
  readonly stderr?: string
  readonly exit?: number
  /** Answers only after this time. */
  readonly holdMs?: number
  /** Never answers. */
  readonly hang?: boolean
  /** Ends itself as a crash would. */
  readonly crash?: boolean
  /** For a plugin: throws an error with this message. */
  readonly fail?: string
  /** For a plugin: replaces these arguments. */
  readonly args?: Readonly<Record<string, unknown>>
}

/** How to drive one coding agent headless, with a hook of the tests in its settings. */
export interface HostDriver extends Driver {
  /** Whether a hook is a command line or a module that the host loads. */
  readonly hookKind: 'command' | 'plugin'
  /** The event before every tool call, the only one whose hook can stop it. */
  readonly gateEvent: string
  /** Every event worth recording. */
  readonly events: readonly string[]
  /** The host's own shape of a refusal. */
  deny(reason: string): HookAnswer
  /** The host's own shape of a call that runs with other arguments. */
  rewrite(args: Readonly<Record<string, unknown>>): HookAnswer
  /** Fields of a hook entry that make this host refuse when the hook fails. */
  readonly failClosed?: Readonly<Record<string, unknown>>
  hookFiles(hooks: readonly HookEntry[], scope: Scope): Files
}

/** The answer of Claude Code, which Codex understands as well. */
export function nested(decision: string, rest: object): HookAnswer {
  const hookSpecificOutput = { hookEventName: 'PreToolUse', permissionDecision: decision, ...rest }
  return { stdout: JSON.stringify({ hookSpecificOutput }) }
}

/** Hooks grouped by event, as Claude Code, Codex and Gemini CLI write them. */
export function matcherGroups(
  hooks: readonly HookEntry[],
  handler: (hook: HookEntry) => object,
): Record<string, readonly object[]> {
  const groups: Record<string, object[]> = {}
  for (const hook of hooks) {
    const group = { ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }), hooks: [handler(hook)] }
    groups[hook.event] = [...(groups[hook.event] ?? []), group]
  }
  return groups
}
