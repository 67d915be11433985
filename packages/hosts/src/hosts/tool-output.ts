import { isJsonObject } from '@countersign/core'

/** INVARIANT: L10, how much of a tool's output is kept. */
const MOST = 10_000

/** How a tool ended, as reported by its host. */
export interface ToolEnd {
  readonly outcome: 'completed' | 'failed'
  /** Null if the host does not report it. */
  readonly exitCode: number | null
  /** The end of what the tool returned, as text; null if the host does not report it. */
  readonly output: string | null
}

/** The outcome of a tool that finished, or of a command with a known exit code. */
export function toolEnd(output: unknown, exitCode: number | null = null): ToolEnd {
  return { outcome: exitCode === null || exitCode === 0 ? 'completed' : 'failed', exitCode, output: outputText(output) }
}

/** The end of a tool that failed. */
export function failedEnd(output: unknown, exitCode: number | null = null): ToolEnd {
  return { outcome: 'failed', exitCode, output: outputText(output) }
}

/** An exit code as a pattern found it in a text; null if it did not. */
export function exitCodeIn(text: string, pattern: RegExp): number | null {
  const code = pattern.exec(text)?.[1]
  return code === undefined ? null : exitCodeOf(Number(code))
}

/** An exit code that the host reports as a number; null for anything else. */
export function exitCodeOf(value: unknown): number | null {
  return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 32 ? Number(value) : null
}

/** The text of an output: a string, parts with a `text`, or the `stdout` and `stderr` of a command. */
function outputText(output: unknown): string | null {
  const text = textOf(output)
  return text === null ? null : text.slice(-MOST).toWellFormed()
}

function textOf(output: unknown): string | null {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return joined(output.map((part) => (isJsonObject(part) ? part['text'] : part)))
  if (!isJsonObject(output)) return null
  const { stdout, stderr, content } = output
  return joined([stdout, stderr]) ?? (Array.isArray(content) ? textOf(content) : null)
}

function joined(parts: readonly unknown[]): string | null {
  const texts = parts.filter((part) => typeof part === 'string')
  return texts.length === 0 ? null : texts.filter((text) => text !== '').join('\n')
}
