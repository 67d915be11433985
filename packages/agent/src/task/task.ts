import { countWords } from '@countersign/core'

/** An unattended task and its limits. */
export interface Task {
  /** Its file, for people. */
  readonly name: string
  /** The instructions. */
  readonly text: string
  readonly mode: 'read-only' | 'write'
  /** `provider/name`; null for the command line’s choice. */
  readonly model: string | null
  /** Globs over `name` and `server/name`; null allows every tool. */
  readonly tools: readonly string[] | null
  /** Exact command lines that may run although their changes cannot be counted. */
  readonly commands: readonly string[]
  /** Tools that may run although their changes cannot be counted. */
  readonly uncounted: readonly string[]
  /** Hosts to fetch from; null allows every public one. */
  readonly hosts: readonly string[] | null
  /** What may be changed. Denied paths win; null allows the whole workspace. */
  readonly paths: { readonly allow: readonly string[] | null; readonly deny: readonly string[] }
  readonly limits: TaskLimits
}

/** How much a task may change and cost. */
export interface TaskLimits {
  /** Files changed and folders created in the run. */
  readonly files: number
  /** Lines added and removed in the run. */
  readonly lines: number
  /** Bytes added and removed in the run: one line may be long. */
  readonly bytes: number
  readonly tokens: number
  readonly timeMs: number
  /** Model turns. */
  readonly turns: number
}

/** The default limits. */
export const DEFAULT_LIMITS: TaskLimits = {
  files: 10,
  lines: 500,
  bytes: 1024 * 1024,
  tokens: 200_000,
  timeMs: 5 * 60_000,
  turns: 25,
}

/** The limits as told to the model. They apply whatever it makes of this text. */
export function boundsText({ mode, tools, commands, uncounted, hosts, paths, limits }: Task): string {
  const lines = ['This run is unattended. Its limits:']
  if (mode === 'read-only')
    lines.push('- read-only: nothing may be changed, and only tools and commands that are proven to read may run')
  else {
    lines.push(
      `- at most ${countWords(limits.files, 'file')} and ${countWords(limits.lines, 'line')} may be changed in total`,
    )
    if (paths.allow !== null) lines.push(`- only these may be changed: ${paths.allow.join(', ')}`)
    if (paths.deny.length > 0) lines.push(`- these may never be changed: ${paths.deny.join(', ')}`)
    if (uncounted.length > 0)
      lines.push(`- these tools may run although their changes are not counted: ${uncounted.join(', ')}`)
    lines.push(
      commands.length === 0
        ? '- only commands that are proven to read may run; change files with the tools'
        : `- besides commands that are proven to read, only these lines may run: ${commands.map((line) => `\`${line}\``).join(', ')}`,
    )
  }
  if (hosts !== null) lines.push(`- only these hosts may be fetched from: ${hosts.join(', ')}`)
  if (tools !== null) lines.push(`- only these tools may be used: ${tools.join(', ')}`)
  return lines.join('\n')
}
