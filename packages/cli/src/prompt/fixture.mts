import type { Terminal } from '../terminal/controlling-terminal.ts'

/** An in-memory terminal: records its output and can be typed on. */
export interface MemoryTerminal extends Terminal {
  written(): string
  /** The output since the last call. */
  news(): string
  type(chunk: string): void
  hangUp(): void
  readonly isRaw: boolean
}

export function memoryTerminal(
  look: { readonly plain?: boolean; readonly color?: boolean; readonly columns?: number } = {},
): MemoryTerminal {
  let text = ''
  let seen = 0
  let hear: ((chunk: string) => void) | null = null
  let gone = (): void => {}
  return {
    columns: look.columns ?? 80,
    rows: 24,
    plain: look.plain ?? false,
    color: look.color ?? false,
    write(more) {
      text += more
    },
    listen(onInput, onGone) {
      hear = onInput
      gone = onGone
      return () => {
        hear = null
      }
    },
    close() {},
    written: () => text,
    news() {
      const more = text.slice(seen)
      seen = text.length
      return more
    },
    type: (chunk) => hear?.(chunk),
    hangUp: () => gone(),
    get isRaw() {
      return hear !== null
    },
  }
}
