/** A text short enough to pass on: its beginning and its end, and how much is missing between them. */
export function headAndTail(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  const missing = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${missing} characters left out …]\n${text.slice(-half)}`.toWellFormed()
}

/** The last words of a text: those nearest to what follows it. */
export function lastWords(text: string, most: number): string {
  return text.length <= most ? text : text.slice(-most).toWellFormed()
}
