import { displayWidth, type SafeText, sliceSafe, wrapText } from '@countersign/core'

/** A text cut at a width, with a sign that it was. */
export function cutText(text: SafeText, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns < 2) return ''
  const whole = wrapText(text, columns - 1)[0] ?? sliceSafe(text, 0, 0)
  const left = columns - 1 - displayWidth(whole)
  const begun = left > 0 ? wrapText(sliceSafe(text, whole.length), left)[0] : undefined
  // A letter of two columns has no place in one, and a row of one would hold it all the same.
  const fits = begun !== undefined && displayWidth(begun) <= left
  return `${whole}${fits ? begun : ''}`.trimEnd().concat('…')
}
