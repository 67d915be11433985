/** The most that one result tells the model. */
export const MOST_CHARACTERS = 60_000

/** A text for the model: whole when it fits, else its beginning with a line that says how much is missing. */
export function boundedText(text: string, most = MOST_CHARACTERS): string {
  if (text.length <= most) return text
  const head = text.slice(0, most).toWellFormed()
  return `${head}\n[${text.length - most} more characters are not shown]`
}

/** Collects output as it comes, and keeps its beginning and its end. */
export interface OutputKeeper {
  add(text: string): void
  /** What was said, with a line in the middle where something is left out. */
  text(): string
}

/** INVARIANT: L10, a command may say anything for as long as it runs; what is kept has a bound. */
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
