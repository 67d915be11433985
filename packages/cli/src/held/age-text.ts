import { type SafeText, safeText } from '@countersign/core'

/** A stretch of time in the unit people would say it in: `45 s`, `3 min`, `2 h`. Below zero counts as none. */
export function ageText(ms: number): SafeText {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 100) return safeText(`${seconds} s`)
  const minutes = Math.round(seconds / 60)
  if (minutes < 100) return safeText(`${minutes} min`)
  return safeText(`${Math.round(minutes / 60)} h`)
}
