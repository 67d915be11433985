import { minuteText } from '@countersign/core'

const GOOD: ReadonlySet<string> = new Set(['approved', 'completed', 'started', 'decided', 'released'])

/** The symbol for the state of a closed call: `isGood` if it may have run. */
export function outcomeSign(state: string): { readonly isGood: boolean; readonly sign: string } {
  const isGood = GOOD.has(state)
  return { isGood, sign: isGood ? '✔' : state === 'expired' ? '◌' : '✖' }
}

/** A duration: `4:07`, `1 h 12 m`, `3 d`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 3600) return minuteText(seconds)
  const hours = Math.floor(seconds / 3600)
  if (hours < 48) return `${hours} h ${Math.floor((seconds % 3600) / 60)} m`
  return `${Math.floor(hours / 24)} d`
}

/** An elapsed time: `less than 1 s`, `12 s`, `4:07 min`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000)
  if (seconds < 1) return 'less than 1 s'
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${formatDuration(ms)} min` : formatDuration(ms)
}

/** A time in the past: `just now`, `40 s ago`, `3 min ago`. */
export function formatAgo(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 5) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)} h ago`
  return `${Math.floor(seconds / 86_400)} d ago`
}

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const DAY = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' })

/** Local time: hours, minutes and seconds. */
export function formatTime(at: number): string {
  return CLOCK.format(at)
}

/** Local date and time. */
export function formatDateTime(at: number): string {
  return `${DAY.format(at)}, ${CLOCK.format(at)}`
}
