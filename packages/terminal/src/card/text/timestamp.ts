import { type SafeText, safeText } from '@countersign/core'

/** A moment for people: the local date and time, to the second. */
export function timeText(at: number): SafeText {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return safeText('no time')
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return safeText(`${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`)
}
