import type { HostName } from '../../contract/host-name.ts'
import type { ToolCall } from '../model/turn.ts'

/** The agents that can be started headless with a stand-in model. */
export const DRIVEN_HOSTS = ['claude-code', 'codex', 'gemini-cli', 'opencode', 'copilot'] as const satisfies HostName[]

export type DrivenHost = (typeof DRIVEN_HOSTS)[number]

/** Files by path; `~/` is the private home, other paths are in the project. */
export type Files = Readonly<Record<string, string>>

/** What an agent is started with. */
export interface Start {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly files: Files
}

/** How to start one coding agent headless with a model on loopback. */
export interface HostDriver {
  readonly name: DrivenHost
  /** Every tool is allowed, so that only a hook can stop a call. */
  start(origin: string, prompt: string): Start
  /** The model's call that runs a shell command. */
  shellCall(command: string): ToolCall
}

export const MODEL_KEY = 'stand-in-key'

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
