/** One task for an agent that works alone, with the bounds it may not leave. */
export interface Task {
  /** The file it was read from, for people. */
  readonly name: string
  /** What the agent is told to do. */
  readonly text: string
  readonly mode: 'read-only' | 'write'
  /** `provider/name`; null leaves it to the command line. */
  readonly model: string | null
  /** Globs over `name` and `server/name`; null allows every tool. */
  readonly tools: readonly string[] | null
  /** Commands that may run although what they change cannot be counted: exactly these lines. */
  readonly commands: readonly string[]
  /** Tools, as globs over `name` and `server/name`, that may run although what they change cannot be counted. */
  readonly uncounted: readonly string[]
  /** Hosts that may be fetched from; null allows every public one. */
  readonly hosts: readonly string[] | null
  /** What may be changed. A denied path beats an allowed one; null allows the whole workspace. */
  readonly paths: { readonly allow: readonly string[] | null; readonly deny: readonly string[] }
  readonly limits: TaskLimits
}

/** How much a task may change and cost. */
export interface TaskLimits {
  /** Files changed and folders made, over the whole run. */
  readonly files: number
  /** Lines added and removed, over the whole run. */
  readonly lines: number
  /** Bytes added and removed, over the whole run: one line may be a long one. */
  readonly bytes: number
  readonly tokens: number
  readonly timeMs: number
  /** Turns of the model. */
  readonly turns: number
}

/** What holds where a task says nothing. */
export const DEFAULT_LIMITS: TaskLimits = {
  files: 10,
  lines: 500,
  bytes: 1024 * 1024,
  tokens: 200_000,
  timeMs: 5 * 60_000,
  turns: 25,
}
