/** The largest result for the model. */
export const MAX_CHARACTERS = 60_000

/** The text if it fits, else its start and how much is missing. */
export function boundedText(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text
  const head = text.slice(0, most).toWellFormed()
  return `${head}\n[${text.length - most} more characters are not shown]`
}

/** Collects output, keeping its start and end. */
interface OutputKeeper {
  add(text: string): void
  /** The output, with a note where something is missing. */
  text(): string
}

/** INVARIANT: L10, the kept output of a command is limited. */
export function keepOutput(most: number): OutputKeeper {
  const half = Math.floor(most / 2)
  let head = ''
  let tail = ''
  let left = 0
  return {
    add(text) {
      const room = half - head.length
      if (room > 0) head += text.slice(0, room)
      if (text.length <= room) return
      tail += text.slice(Math.max(0, room))
      if (tail.length > 2 * half) {
        left += tail.length - half
        tail = tail.slice(-half)
      }
    },
    text() {
      const over = Math.max(0, tail.length - half)
      const missing = left + over
      const middle = missing === 0 ? '' : `\n[${missing} characters are left out here]\n`
      return (head + middle + tail.slice(over)).toWellFormed()
    },
  }
}

/** The start and end of a text, and how much is missing between. */
export function headAndTail(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  const missing = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${missing} characters left out …]\n${text.slice(-half)}`.toWellFormed()
}

/** The end of a text. */
export function lastWords(text: string, most: number): string {
  return text.length <= most ? text : text.slice(-most).toWellFormed()
}
